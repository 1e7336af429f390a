"""Minutes, a seed and parts in; random cases on several processes; counts and the smallest case of each failure out."""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter

from tests.fuzz.batch import PARTS
from tests.fuzz.workers import Worker

REPORT_EVERY = 30


def main():
    parser = argparse.ArgumentParser(
        "scripts/fuzz", description="Runs random cases, and prints each kind of failure once."
    )
    parser.add_argument("--minutes", type=float, default=1, help="how long; default: 1")
    parser.add_argument("--seed", default="0", help="any text: the same cases in the same order; default: 0")
    parser.add_argument(
        "--only",
        action="append",
        choices=[*PARTS],
        help="a part; can be repeated; default: all, spark only from 10 minutes on",
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="default: one for each core")
    options = parser.parse_args()
    sys.stdout.reconfigure(errors="backslashreplace")
    parts = options.only or turns(options.minutes)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        failures = run(parts, options.seed, options.minutes * 60, options.processes, folder)
    sys.exit(bool(failures))


def turns(minutes):
    """The parts in the order of their batches: Spark takes long, so it has a turn now and then, and only in long runs."""
    local = [name for name in PARTS if name != "spark"]
    return [*local * 10, "spark"] if minutes >= 10 else local


def run(parts, seed, seconds, processes, folder):
    """Runs batches of the parts in turn until the time is over; the number of kinds of failures."""
    start = reported = time.monotonic()
    cases, counts, known, batches = Counter(), Counter(), Counter(), Counter()
    workers = [Worker(folder, i) for i in range(processes)]
    while True:
        over = time.monotonic() - start > seconds
        for worker in workers:
            task = worker.task
            if task is not None and (found := worker.take()) is not None:
                worker.task = None
                counts.update(found.counts)
                _count(found, *task, cases, known)
            if worker.task is None and not over:
                part = parts[batches.total() % len(parts)]
                worker.give(part, f"{seed} {part} {batches[part]}", tuple(known))
                batches[part] += 1
        if over and all(worker.task is None for worker in workers):
            break
        if time.monotonic() - reported > REPORT_EVERY:
            reported = time.monotonic()
            print(f"{reported - start:.0f} s: {_counts(cases, known)}", flush=True)
        time.sleep(0.01)
    for worker in workers:
        worker.pipe.send(None)
        worker.process.join()
    print(f"Done in {time.monotonic() - start:.0f} s: {_counts(cases, known)}")
    print(", ".join(f"{what} {count}" for what, count in counts.most_common()))
    for kind, times in known.most_common():
        print(f"  {times} x {kind}")
    return len(known)


def _count(found, part, seed, cases, known):
    cases[part] += found.cases
    known.update(found.known)
    for kind, description in found.new.items():
        if kind not in known:
            print(f"\nFAILURE in batch '{seed}': {description}\n", flush=True)
        known[kind] += 1


def _counts(cases, known):
    parts = ", ".join(f"{count} of {part}" for part, count in sorted(cases.items()))
    return f"{cases.total()} cases ({parts}), {len(known)} kinds of failures"


if __name__ == "__main__":
    main()
