"""The examples of the page on training loops, which need the libraries that it is about."""

import doctest

import pytest

from tests.test_docs import ROOT, blocks


@pytest.mark.filterwarnings("ignore")
def test_the_examples_print_what_they_show():
    page = ROOT / "docs" / "training-loop.md"
    session = doctest.DocTestParser().get_doctest(blocks(page, "pycon"), {}, page.name, str(page), 0)
    assert len(session.examples) > 50
    out = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(session, out=out.append)
    assert not out, "".join(out)
