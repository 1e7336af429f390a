# What the scripts share: a virtual environment in .venv, made once and kept up to date.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

find_python() {
  for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 python; do
    [ -n "$candidate" ] || continue
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
  echo "karat needs Python 3.11 or later, and none was found. Install one, or name it: PYTHON=/path/to/python $0" >&2
  exit 2
}

make_environment() { # the dependency groups to install, besides the package itself
  if [ ! -x .venv/bin/python ]; then
    python=$(find_python)
    "$python" -m venv .venv || {
      echo "The virtual environment could not be made; on Debian and Ubuntu: apt-get install python3-venv" >&2
      rm -rf .venv
      exit 2
    }
  fi
  local wanted stamp=.venv/.installed groups=()
  wanted=$(cat pyproject.toml scripts/lib.sh | sha256sum)
  for group in "$@"; do groups+=(--group "$group"); done
  if ! grep -qxF "$wanted $*" "$stamp" 2>/dev/null; then
    echo "Installing karat into .venv ${*:+(with: $*)} ..." >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable . ${groups[@]+"${groups[@]}"}
    echo "$wanted $*" >>"$stamp"
  fi
}
