"""A result that is a document and a dict in, its texts in every format out: what such results have in common."""

from __future__ import annotations

from typing import Any

from rankgold.output.document import Document


class TableResult:
    """A result that prints and saves itself. A subclass has `document` and `to_dict`."""

    __slots__ = ()

    def document(self, output: str = "text", *, digits: int = 4) -> Document:
        """What people read, for an output: text, markdown, latex, html or csv."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        raise NotImplementedError

    def to_json(self, *, indent: int | None = 2, **options: Any) -> str:
        """The dict as JSON; the options are those of `to_dict`."""
        import json

        from rankgold.output.text import escaped_json

        content = self.to_dict(**options)
        return escaped_json(json.dumps(content, indent=indent, allow_nan=False, ensure_ascii=False, default=str))

    def written(self, output: str, digits: int = 4) -> str:
        """The result in one of the formats for tables."""
        from rankgold.output.registry import TABLE_OUTPUTS

        return TABLE_OUTPUTS[output](self.document(output, digits=digits)).removesuffix("\n")

    def to_markdown(self, *, digits: int = 4) -> str:
        return self.written("markdown", digits)

    def to_latex(self, *, digits: int = 4) -> str:
        """A LaTeX table, for the package booktabs."""
        return self.written("latex", digits)

    def to_html(self, *, digits: int = 4) -> str:
        return self.written("html", digits)

    def to_csv(self) -> str:
        """A table as CSV, with all digits."""
        return self.written("csv")

    def _repr_html_(self) -> str:
        return self.to_html()

    def __repr__(self) -> str:
        from rankgold.output.text import shown_document

        return shown_document(self.document(), colour=False).removesuffix("\n")
