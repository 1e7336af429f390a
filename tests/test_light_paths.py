"""What starts quickly: each path runs in a process of its own, which then says which large libraries it has loaded."""

import inspect
import os
import subprocess
import sys

import rankgold
from rankgold.cli.app import COMMANDS
from tests.cases import for_each

TRAINING = {"torch", "sklearn", "lightgbm", "xgboost", "catboost"}
ALL = {"numpy", "polars", "altair", "pandas", "pyarrow", "duckdb", "pyspark", "scipy", "rich", "typer"} | TRAINING
NO_FRAMES = ALL - {"numpy", "rich"}
SAMPLE = os.path.join(os.path.dirname(rankgold.__file__), "data", "samples")
QRELS, RUN, OTHER = (os.path.join(SAMPLE, name) for name in ("qrels.txt", "bm25.trec", "titles.trec"))


def command(*lines):
    calls = "".join(f"\ntry: run({list(line)})\nexcept SystemExit: pass" for line in lines)
    return f"from rankgold.cli.app import run{calls}"


def signatures(names):
    return f"import inspect, rankgold\nfor name in {names}: inspect.signature(getattr(rankgold, name))"


FUNCTIONS = {name for name in rankgold.__all__ if inspect.isfunction(getattr(rankgold, name))}
WITH_ARRAYS = {"from_arrays", "from_labels", "from_lists", "parse_measure"}

# What is done -> what must not be loaded by it.
PATHS = {
    "import rankgold": ALL,
    "import rankgold; dir(rankgold); rankgold.__version__": ALL,
    "from rankgold import Policy, DataError": ALL,
    signatures(FUNCTIONS - WITH_ARRAYS): ALL,
    signatures(WITH_ARRAYS): NO_FRAMES,
    "import rankgold.compat.pytest_plugin": ALL | {"rankgold.scoring.evaluation", "rankgold.audit"},
    command(["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)): ALL - {"rich"},
    command(["measures"], ["measures", "ap"]): NO_FRAMES,
    "import rankgold; rankgold.evaluate({'q': {'d': 1}}, {'q': {'d': 1.0}}, ['ap']).means": NO_FRAMES,
    command(["evaluate", QRELS, RUN, "-m", "ap"]): NO_FRAMES,
    command(["explain", "--query", "q18", QRELS, RUN, "-m", "ap"]): NO_FRAMES,
    f"import rankgold; rankgold.similarity({RUN!r}, {OTHER!r}).means": NO_FRAMES,
    "import rankgold; rankgold.integrations.QueryMean('rr')": NO_FRAMES,
    "import rankgold; rankgold.plots.PLOTS; rankgold.from_labels([[1]])": {"altair"},
}


@for_each(("code", "unwanted"), PATHS.items())
def test_a_light_path_loads_only_what_it_needs(code, unwanted):
    code += f"\nimport sys; print(sorted({unwanted} & sys.modules.keys()), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
