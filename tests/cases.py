"""Many cases of one sentence as a single test, which tries all of them and names those that failed."""

import contextlib
import functools
import inspect
import reprlib

import pytest


def for_each(names, cases, ids=None):
    """As `pytest.mark.parametrize` with the same arguments, but one test, which is cheaper than hundreds.

    Each case has a `tmp_path` of its own, what it patches by `monkeypatch` is undone after it, and `capsys` holds what
    it prints alone. All other fixtures are shared by the cases.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    labelled = [_labelled(names, case, ids, place) for place, case in enumerate(cases)]
    assert labelled, "There is no case."

    def decorate(test):
        signature = inspect.signature(test)

        @functools.wraps(test)
        def all_cases(**fixtures):
            failed = {}
            for place, (label, values) in enumerate(labelled):
                try:
                    with _fixtures_of_a_case(fixtures, place) as own:
                        test(**own, **dict(zip(names, values, strict=True)))
                except (Exception, pytest.fail.Exception, BaseExceptionGroup) as error:
                    error.add_note(f"The case: {label}")
                    failed[f"{place}: {label}"] = error
            if failed:
                lines = [f"{len(failed)} of {len(labelled)} cases failed:", *failed]
                raise BaseExceptionGroup("\n".join(lines), list(failed.values()))

        kept = [parameter for name, parameter in signature.parameters.items() if name not in names]
        all_cases.__signature__ = signature.replace(parameters=kept)
        return all_cases

    return decorate


@contextlib.contextmanager
def _fixtures_of_a_case(fixtures, place):
    own = dict(fixtures)
    with contextlib.ExitStack() as stack:
        if "monkeypatch" in own:
            own["monkeypatch"] = stack.enter_context(own["monkeypatch"].context())
        if "tmp_path" in own:
            own["tmp_path"] /= str(place)
            own["tmp_path"].mkdir()
        if "capsys" in own:
            own["capsys"].readouterr()
        yield own


def _labelled(names, case, ids, place):
    """How a case is called, and its values."""
    label = None
    if hasattr(case, "marks"):  # pytest.param
        assert not case.marks, "A case that has marks is a test of its own."
        label, case = case.id, case.values
    elif len(names) == 1:
        case = (case,)
    assert len(case) == len(names), f"{case} for {names}"
    if label is None and ids is not None and not callable(ids):
        label = list(ids)[place]
    return label or ", ".join(str((ids or _shown)(value)) for value in case), case


def _shown(value):
    return getattr(value, "__name__", None) or reprlib.repr(value)
