"""A test of many cases tries all of them, says which failed, and keeps them apart."""

import os

import pytest

from tests.cases import for_each


@for_each("number", [1, 2, 3, pytest.param(4, id="four"), max])
def every_number_is_odd(number):
    assert number % 2


@for_each(("left", "right"), [("a", 1), ("b", 2)], ids=["first", "second"])
@for_each("other", [0, 1], ids=lambda other: f"other is {other}")
def nothing_is_raised_but_in_the_second(left, right, other):
    if right == 2 and other:
        pytest.fail(left)


def test_every_case_that_fails_is_named_with_its_error():
    with pytest.raises(BaseExceptionGroup, match=r"(?s)^3 of 5 cases failed:\n1: 2\n3: four\n4: max") as caught:
        every_number_is_odd()
    errors = caught.value.exceptions
    assert [type(error) for error in errors] == [AssertionError, AssertionError, TypeError]
    assert [error.__notes__ for error in errors] == [["The case: 2"], ["The case: four"], ["The case: max"]]
    with pytest.raises(BaseExceptionGroup, match=r"^1 of 2 cases failed:\n1: second") as caught:
        nothing_is_raised_but_in_the_second()
    assert "1: other is 1" in str(caught.value.exceptions[0])


@for_each("name", ["A", "B", "C"])
def test_a_case_has_its_own_directory_output_and_patches(name, tmp_path, capsys, monkeypatch):
    assert list(tmp_path.iterdir()) == []
    (tmp_path / name).touch()
    print(name)
    assert capsys.readouterr().out == f"{name}\n"
    print("left")
    assert "RANKGOLD_CASE" not in os.environ
    monkeypatch.setenv("RANKGOLD_CASE", name)


def test_without_a_case_or_with_one_that_does_not_fit_there_is_an_error():
    with pytest.raises(AssertionError, match="There is no case"):
        for_each("name", [])
    with pytest.raises(AssertionError, match=r"\(1, 2, 3\) for \['a', 'b'\]"):
        for_each("a, b", [(1, 2, 3)])
