"""Makes the options of a command out of the signature of a verb, and the keywords of the verb out of the options."""

from __future__ import annotations

import inspect
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from rankgold.cli.parser import Parser
from rankgold.cli.shared_options import real_number, whole_number
from rankgold.cli.vocabulary import WORDS, Word

Verb = Callable[..., Any]


def add_options(parser: Parser, verb: Verb, *only: str, of: str = "", unset: bool = False) -> None:
    """Adds the options of a verb, or of a class of choices such as Interval: all that it has, or only these words.

    `of` names who has words of its own for them, if not the verb. If `unset`, the value of an option that was not given
    is None, and the verb fills in its default.
    """
    for parameter, word in _words(verb, of, only):
        _add(parser, parameter, word, _kinds(verb, parameter), unset=unset)


def _add(
    parser: Parser, parameter: inspect.Parameter, word: Word, kinds: tuple[Any, ...], *, unset: bool = False
) -> None:
    default = parameter.default
    settings: dict[str, Any] = {"help": word.help.format(default=default)}
    if bool in kinds:
        settings["action"] = "store_false" if default else "store_true"
    else:
        settings |= {"metavar": word.metavar, "type": word.type, "default": None if unset else default}
        if word.repeats:
            settings |= {"action": "append", "default": None}
        if len((word.metavar or "").split()) > 1:
            settings["nargs"] = len(str(word.metavar).split())
        if str not in kinds:
            settings["choices"] = next((get_args(kind) for kind in kinds if get_origin(kind) is Literal), None)
            settings["type"] = word.type or (whole_number if int in kinds else real_number if float in kinds else None)
    flags = word.flags or (f"--{'no-' if bool in kinds and default else ''}{parameter.name.replace('_', '-')}",)
    add = parser.add_input if word.reads else parser.add_argument
    add(*flags, dest=_destination(parameter.name, word), **settings)


def keywords(options: Namespace, verb: Verb, of: str = "") -> dict[str, Any]:
    """The keywords of a verb that were given at the shell, with its policy as one."""
    found: dict[str, Any] = {}
    policy: list[str] = []
    for parameter, word in _words(verb, of):
        value = getattr(options, _destination(parameter.name, word), None)
        if value is None:
            continue
        if parameter.name == "policy":
            policy = [*value, *policy]
        elif word is WORDS["depth"]:
            policy.append(f"depth={value}")
        else:
            found[parameter.name] = value if word.value is None else word.value(value)
    if policy:
        from rankgold.core.policy import Policy

        found["policy"] = Policy.of(*policy)
    return found


def _words(verb: Verb, of: str, only: tuple[str, ...] = ()) -> Iterator[tuple[inspect.Parameter, Word]]:
    """The parameters of a verb that the shell has, each with its word."""
    for name, parameter in inspect.signature(verb).parameters.items():
        if only and name not in only:
            continue
        own = f"{of or verb.__name__}.{name}"
        word = WORDS[own if own in WORDS else name]
        if word is not None:
            yield parameter, word


def _destination(name: str, word: Word) -> str:
    return word.flags[-1].lstrip("-").replace("-", "_") if word.flags else name


def _kinds(verb: Verb, parameter: inspect.Parameter) -> tuple[Any, ...]:
    """The types that a parameter may have; text, if one of them is a name that only type checkers know."""
    try:
        annotation = eval(parameter.annotation, vars(sys.modules[verb.__module__]))
    except NameError:
        return (str,)
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
