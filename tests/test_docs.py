"""docs/: the examples of its pages are run, its Chinese pages show the same, and it becomes a site without warnings.

How examples are written is told in test_readme.py.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from test_readme import (
    BLOCK,
    BUILT_ELSEWHERE,
    CHINESE_PAGE,
    PAGES,
    READMES,
    ROOT,
    blocks,
    played,
    run_examples,
    text_of,
    workplace,
)

import tjmj

DOCS = ROOT / "docs"
CHINESE = [page for page in PAGES if page.endswith(CHINESE_PAGE)]


def pages_with(*languages):
    """Pages with such blocks; those in Chinese have the same."""
    tried = [page for page in PAGES if page not in CHINESE and page != BUILT_ELSEWHERE]
    return [page for page in tried if any(blocks(page, each) for each in languages)]


@pytest.mark.parametrize("page", pages_with("python", "pycon"))
def test_python_examples(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run_examples(page)


@pytest.mark.parametrize("page", pages_with("console"))
def test_commands(page, tmp_path):
    folder = workplace(tmp_path)
    for block in blocks(page, "console"):
        assert played(block, folder) == block


@pytest.mark.parametrize("page", CHINESE)
def test_the_chinese_page_shows_the_same(page):
    english = page.replace(CHINESE_PAGE, ".md")
    assert english in PAGES
    for language in ("sh", "python", "pycon", "console"):
        assert blocks(page, language) == blocks(english, language)
    assert f"]({os.path.basename(page)})" in text_of(english)
    assert f"]({os.path.basename(english)})" in text_of(page)


@pytest.mark.parametrize("page", pages_with("sh"))
def test_only_what_installs_is_not_tried(page):
    """The package is installed, and `make` run, by test_packaging.py and CI."""
    for block in blocks(page, "sh"):
        assert all(line.startswith(("pip install ", "make ")) for line in block.splitlines()), block


def test_every_page_is_in_the_contents():
    """READMEs lead to the first page in their language, and the contents of the first page to all others."""
    listed = re.findall(r"^```{toctree}\n(?::.*\n|\n)*([^`]*)^```$", text_of("docs/index.md"), re.MULTILINE)
    contents = [f"docs/{page}.md" for page in "".join(listed).split()]
    assert sorted(["docs/index.md", *contents]) == PAGES
    for readme in READMES:
        assert f"](docs/{readme.replace('README', 'index')})" in text_of(readme)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", BLOCK.sub("", text_of(page))):
        assert (ROOT / page).parent.joinpath(link).exists(), link


class Loaded(HTMLParser):
    """What a page loads by itself."""

    def __init__(self):
        super().__init__()
        self.addresses = []

    def handle_starttag(self, tag, attrs):
        key = {"script": "src", "img": "src", "link": "href", "iframe": "src"}.get(tag)
        self.addresses += [value for name, value in attrs if name == key and value]


@pytest.mark.slow
def test_the_site_has_no_warnings_and_asks_nobody(tmp_path):
    pytest.importorskip("furo", reason="`make docs` installs what the site needs")
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "-d", tmp_path / "trees"]
    done = subprocess.run(
        [*build, DOCS, tmp_path / "site"],
        env=os.environ | {"PYTHONPATH": os.path.dirname(os.path.dirname(tjmj.__file__))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout
    for page in PAGES:
        made = (tmp_path / "site" / os.path.relpath(page, "docs")).with_suffix(".html")
        html = made.read_text("utf-8")
        assert f'lang="{"zh-CN" if page in CHINESE else "en"}"' in html
        loaded = Loaded()
        loaded.feed(html)
        assert loaded.addresses
        assert not [each for each in loaded.addresses if re.match(r"(https?:)?//", each)]
