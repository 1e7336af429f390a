"""The engine `local`: judgements and runs are read, matched and measured in this process."""

from __future__ import annotations

from collections.abc import Iterator

from rankgold.engines.protocol import Engine, Task
from rankgold.errors import listing
from rankgold.hits import Hits
from rankgold.matching.runs import match_runs
from rankgold.scoring.scores import Scores
from rankgold.scoring.values import score_all


class LocalEngine:
    """The default. It takes no options."""

    name = "local"
    options = frozenset[str]()

    def evaluate(self, task: Task) -> Scores:
        return score_all(self.match(task), task.measures)

    def match(self, task: Task) -> Iterator[Hits]:
        return match_runs(task.qrels, task.run, task.policy, task.columns, task.progress)

    def plan(self, task: Task) -> str:
        verb = "are" if len(task.measures) > 1 else "is"
        return "\n".join(
            (
                "1. The judgements and the run are read in this process; a large file of a run in chunks.",
                "2. The rows of judged documents are found by their ids, and only they are ranked.",
                f"3. {listing(task.measures)} {verb} computed for every query, and then the mean.",
            )
        )


ENGINE: Engine = LocalEngine()
