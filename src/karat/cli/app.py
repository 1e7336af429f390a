"""The commands together."""

from __future__ import annotations

from typing import Annotated

import typer

from karat import __version__
from karat.cli import demo, evaluate, explain, measures

app = typer.Typer(
    name="karat",
    help="Evaluates rankings: judgements and ranked results in, every ranking measure out.\n\nTry: karat demo",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("evaluate")(evaluate.command)
app.command("explain")(explain.command)
app.command("measures")(measures.command)
app.command("demo")(demo.command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"karat {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    pass
