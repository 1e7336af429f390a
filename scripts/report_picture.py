"""The sample data in, the picture of their report in the README out: taken in Chromium, through Playwright.

The picture holds a digest of the page's script and style. `generate_docs.py --check` compares it, because the pixels
differ between machines.
"""

from __future__ import annotations

import hashlib
import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

import rankgold
from rankgold.data.files import sample
from rankgold.present.html_report.report_file import page_script, page_style
from rankgold.present.outputs.html import stylesheet

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "report.png"
SIZE = {"width": 1200, "height": 1080}
_KEY = "page"


def page_digest() -> str:
    return hashlib.sha256((page_script() + page_style() + stylesheet()).encode()).hexdigest()


def is_stale() -> bool:
    """Whether the picture shows another page than the one that reports have now."""
    if not PICTURE.exists():
        return True
    with Image.open(PICTURE) as picture:
        return bool(picture.info.get(_KEY) != page_digest())


def main() -> None:
    sys.path.insert(0, str(PICTURE.parent.parent.parent))
    from tests.report_page import started_browser

    runs = [sample(f"{name}.trec") for name in ("titles", "bm25", "expanded")]
    with tempfile.TemporaryDirectory() as folder, started_browser() as browser:
        file = Path(folder) / "report.html"
        rankgold.report(sample("qrels.txt"), runs, file, query_texts=sample("queries.tsv"))
        page = browser.new_page(viewport=SIZE, color_scheme="light", device_scale_factor=1.5)
        page.goto(f"file://{file}")
        page.wait_for_selector("html[data-ready=all]")
        taken = page.screenshot()
    about = PngInfo()
    about.add_text(_KEY, page_digest())
    with Image.open(io.BytesIO(taken)) as picture:
        picture.convert("RGB").quantize(256).save(PICTURE, optimize=True, pnginfo=about)


if __name__ == "__main__":
    main()
