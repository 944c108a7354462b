"""Draws the picture of the page of records that the READMEs show, in both languages, into docs/pictures/.

It needs Chromium, the group `browser` of dependencies, and fonts for Chinese.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import tempfile

import msgspec
from playwright.sync_api import sync_playwright

from tjmj import record
from tjmj.simulate import simulate
from tjmj.viewer import page

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs" / "pictures"
NAMES = ("甲", "乙", "丙", "丁")
HAND = 10
"""Its end is shown: 本混龙."""
LOCALES = {"viewer.png": "en-GB", "viewer.zh-CN.png": "zh-CN"}


def match() -> list[record.Record]:
    """Hands as a match might have them."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hands.jsonl")
        simulate("tianjin", 16, 3, "simple", 1, path)
        return [msgspec.structs.replace(hand, names=NAMES) for hand in record.read(path)]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = pathlib.Path(folder, "page.html")
        file.write_text(page(match()), "utf-8")
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, locale in LOCALES.items():
            shown = browser.new_page(locale=locale, viewport={"width": 980, "height": 620})
            shown.goto(file.as_uri())
            for key in ["ArrowDown"] * (HAND - 1) + ["End"]:
                shown.keyboard.press(key)
            shown.screenshot(path=FOLDER / name)
        browser.close()


if __name__ == "__main__":
    main()
