"""The page that plays records, in Chromium: opened from disk, used by keys, mouse and touch (`make test-browser`).

What it looks like is kept in build/screenshots/, to be looked at.
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import statistics
from urllib.parse import quote

import pytest
from shows import SHORT, finished

from tjmj.record import parse
from tjmj.round import replayed
from tjmj.simulate import simulate
from tjmj.view import View
from tjmj.viewer import page

pytestmark = pytest.mark.browser

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINES = (ROOT / "tests" / "golden" / "records.jsonl").read_bytes().splitlines()
FIELDS = [json.loads(line) for line in LINES]
JINTAN = [line for line, fields in zip(LINES, FIELDS) if fields["rules"]["name"] == "jintan"]
TABLE = (ROOT / "src" / "tjmj" / "viewer" / "table.js").read_text("utf-8")
SCREENSHOTS = ROOT / "build" / "screenshots"

# Quiet, and without a sandbox, which containers have no rights for.
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True}

HOSTILE = [
    "</script><script>document.title='run'</script>",
    "<img src=x onerror=\"document.title='run'\">",
    "\u202e{who} {tile}",
    "长" * 300,
]


def chromium():
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.fail("no Chromium found; CHROMIUM can say where it is")
    return found


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def show(browser, tmp_path):
    """A function that opens a page of such lines from disk; it may not complain, nor ask for anything else."""
    complaints, asked, contexts = [], [], []

    def opened(*lines, **options):
        file = tmp_path / "page.html"
        records = tmp_path / "hands.jsonl"
        records.write_bytes(b"\n".join(lines))
        file.write_text(page(records), "utf-8")
        options = {"locale": "en-GB", **DESKTOP, **options}
        context = browser.new_context(**options)
        contexts.append(context)
        view = context.new_page()
        view.on("console", lambda message: complaints.append(message.text))
        view.on("pageerror", lambda error: complaints.append(str(error)))
        view.on("request", lambda request: asked.append(request.url))
        view.goto(file.as_uri())
        return view

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
    assert all(url.startswith("file:") and url.endswith("page.html") for url in asked)


def keep(view, name):
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    view.screenshot(path=SCREENSHOTS / f"{name}.png")


def press(view, key, times=1):
    for _ in range(times):
        view.keyboard.press(key)


def spoken(view):
    return view.locator("#spoken").inner_text()


def current_move(view):
    return view.locator("#log [aria-current]").get_attribute("data-move")


# What it shows


@pytest.fixture(scope="module")
def blank(browser):
    view = browser.new_page()
    yield view
    view.close()


SAME = ("stakes", "window", "dice", "break", "flip", "wild", "seats", "front_left", "back_left", "wins", "payments",
        "result")  # fmt: skip


@pytest.mark.parametrize("place", range(2, 103, 9))
def test_the_table_is_the_engines_view_after_every_event(blank, place):
    story = json.loads(page([parse(LINES[place])]).partition('id="story">')[2].partition("</script>")[0])
    shown = blank.evaluate(
        """async ([source, story]) => {
            const { readEvents, tableAt } = await import(source);
            const [hand] = story.hands;
            hand.events = readEvents(story.shapes, hand.events);
            const order = new Map(story.tiles.map((tile, at) => [tile, at]));
            return hand.events.map((_, at) => JSON.stringify(tableAt(hand, at + 1, order)));
        }""",
        [f"data:text/javascript;charset=utf-8,{quote(TABLE)}", story],
    )
    made = replayed(parse(LINES[place])).round
    view = View(None, {}, made.dealer)
    for event, text in zip(made.events(open=True), shown, strict=True):
        view.apply(event)
        table = json.loads(text)
        for seat in table["seats"]:
            for meld in seat["melds"]:
                del meld["hidden"]
        told = json.loads(json.dumps(view.to_json()))
        assert {key: table[key] for key in SAME} == {key: told[key] for key in SAME}


THROUGH = """([key, end]) => {
    const boards = [];
    for (;;) {
        boards.push(document.getElementById("board").innerHTML);
        if (document.getElementById(end).disabled) return boards;
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }
}"""


@pytest.mark.parametrize("line", [finished(SHORT), LINES[4], JINTAN[0]], ids=["kong", "tianjin", "jintan"])
def test_through_a_hand_and_back(show, line):
    view = show(line)
    press(view, "Home")
    forward = view.evaluate(THROUGH, ["ArrowRight", "forward"])
    assert len(forward) > len(json.loads(line)["moves"].split())
    assert view.evaluate(THROUGH, ["ArrowLeft", "back"])[::-1] == forward


def test_a_win_with_its_reading_and_payments(show):
    view = show(finished(SHORT))
    press(view, "End")
    result = view.locator("#result")
    assert result.locator(".formula").inner_text() == "捉五 3 × 素 2 = 6"
    assert result.locator("figure").count() == 5 and result.locator(".winning").count() == 1
    lines = [row.split() for row in result.locator(".ledger tbody tr").all_inner_texts()]
    net = json.loads(finished(SHORT))["result"]["net"]
    settled = replayed(parse(finished(SHORT))).round.settlement
    assert len(lines) == len(settled)
    shown = result.locator(".ledger tfoot td").all_inner_texts()
    assert [int(points.replace("−", "-")) for points in shown] == net
    keep(view, "win")
    press(view, "ArrowLeft", 3)
    assert result.is_hidden()


def test_the_lost_right_and_the_stakes(show):
    at = next(number for number, line in enumerate(LINES) if json.loads(line)["moves"] and lost_in(line))
    view = show(LINES[at])
    press(view, "End")
    assert view.locator(".tag.lost").count() >= 1
    assert view.locator(".dimmed").count() >= 1
    view = show(finished(SHORT))
    assert view.locator(".label .tag").all_inner_texts() == ["庄", "坐", "拉1", "拉2"]
    told = view.locator("section.seat").evaluate_all("seats => seats.map((seat) => seat.ariaLabel)")
    assert [text.partition(", ")[2] for text in told] == ["dealer 庄, sits 坐庄", "pulls 1 拉庄", "", "pulls 2 拉庄"]


def lost_in(line):
    made = replayed(parse(line)).round
    return any(made.play_of.lost)


def test_hidden_hands(show):
    view = show(LINES[4])
    backs = view.locator("#board .concealed .tile-back")
    assert backs.count() == 0
    press(view, "o")
    assert backs.count() == 39
    press(view, "ArrowRight", 4)
    told = view.locator("#log").inner_text()
    assert "South draws\n" in told and "East draws " in told
    press(view, "v")
    assert view.locator("#near").input_value() == "1" and view.locator(".near .tile-back").count() == 0
    assert "South draws " in view.locator("#log").inner_text()
    keep(view, "hidden")
    press(view, "End")
    assert backs.count() == 0


# How it is used


def test_keys_alone(show):
    view = show(*LINES[:3])
    assert view.locator("#hand").input_value() == "0"
    press(view, "ArrowDown", 2)
    assert view.locator("#hand").input_value() == "2" and view.locator("#next-hand").is_disabled()
    press(view, "ArrowUp")
    assert view.locator("#hand").input_value() == "1"
    press(view, "End")
    assert view.locator("#last").is_disabled()
    press(view, "ArrowRight")
    assert view.locator("#hand").input_value() == "2"
    reached = set()
    for _ in range(30):
        press(view, "Tab")
        reached.add(view.evaluate("document.activeElement.id"))
    assert {"near", "open", "language", "slider", "back", "play", "forward", "hand", "move", "log"} <= reached


def test_to_a_move_and_to_a_hand_by_mouse(show):
    view = show(*LINES[:3])
    view.locator("#move").fill("7")
    view.locator("#move").press("Enter")
    assert current_move(view) == "7"
    view.locator("#log li", has_text="The tiles are dealt").click()
    assert spoken(view).startswith("The tiles are dealt")
    view.locator("#hand").select_option("2")
    view.locator("#forward").click()
    assert view.locator("#hand").input_value() == "2" and view.locator("#move").input_value() == "1"
    box = view.locator(".chart").bounding_box()
    view.mouse.click(box["x"] + box["width"] * 0.45, box["y"] + box["height"] / 2)
    assert view.locator("#hand").input_value() == "0"
    view.locator("#slider").focus()
    press(view, "Home")
    assert view.locator("#first").is_disabled()


def test_touch_on_a_phone(show):
    view = show(LINES[4], **PHONE)
    before = spoken(view)
    view.locator("#forward").tap()
    after = spoken(view)
    assert after != before
    swipe = """([from, to]) => {
        const board = document.getElementById("board");
        for (const [kind, x] of [["pointerdown", from], ["pointerup", to]]) {
            board.dispatchEvent(new PointerEvent(kind, { clientX: x, bubbles: true, pointerType: "touch" }));
        }
    }"""
    view.evaluate(swipe, [100, 260])
    assert spoken(view) == before
    view.evaluate(swipe, [260, 100])
    assert spoken(view) == after
    assert view.evaluate("document.documentElement.scrollWidth") <= 390


def test_playing_by_itself(show):
    view = show(LINES[4])
    before = spoken(view)
    press(view, " ")
    assert view.locator("#play").get_attribute("aria-label") == "Pause"
    view.wait_for_function("before => document.getElementById('spoken').textContent !== before", arg=before)
    press(view, " ")
    assert view.locator("#play").get_attribute("aria-label") == "Play"


@pytest.mark.parametrize("device", ["desktop", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_what_it_looks_like(show, device, scheme, locale):
    options = PHONE if device == "phone" else DESKTOP
    view = show(*LINES[:12], locale=locale, color_scheme=scheme, reduced_motion="reduce", **options)
    lang = view.locator("html").get_attribute("lang")
    assert lang == {"en-US": "en", "zh-CN": "zh-CN"}[locale]
    press(view, "ArrowDown", 4)
    press(view, "ArrowRight", 45)
    keep(view, f"{device}-{scheme}-{lang[:2]}")
    press(view, "l")
    assert view.locator("html").get_attribute("lang") != lang
    assert view.evaluate("document.getAnimations().length") == 0


def test_everything_is_there_on_both_screens(show):
    for name, options in (("desktop", DESKTOP), ("phone", PHONE)):
        view = show(JINTAN[0], **options)
        press(view, "End")
        cut = view.evaluate("""() => {
            const edge = document.getElementById("board").getBoundingClientRect();
            return [...document.querySelectorAll("#board .tile, #board .label")].filter((each) => {
                const box = each.getBoundingClientRect();
                return box.left < edge.left || box.right > edge.right || box.top < edge.top || box.bottom > edge.bottom;
            }).length;
        }""")
        assert cut == 0
        keep(view, f"jintan-{name}")


# Strangers


def test_hostile_names_are_text(show):
    view = show(json.dumps(FIELDS[0] | {"names": HOSTILE}).encode())
    press(view, "ArrowRight", 12)
    keep(view, "hostile")
    assert view.title() == "Mahjong record"
    assert view.locator("img, body script:not([type])").count() == 0
    assert "<img src=x onerror=" in view.locator("#players").inner_text()
    assert view.evaluate("document.documentElement.scrollWidth") <= 1280
    assert "{who} {tile}" in view.locator("#log").inner_text()


def test_a_broken_record(show):
    moves = FIELDS[1]["moves"].split()
    wrong = json.dumps(FIELDS[1] | {"moves": " ".join([*moves[:11], "0d9F", *moves[12:]])}).encode()
    view = show(LINES[0], wrong, b"{}")
    assert view.locator("#faults").inner_text() == "2 of 3 hands wrong"
    view.locator("#faults").click()
    assert view.locator("#hand").input_value() == "1" and view.locator("#move").input_value() == "12"
    assert spoken(view).startswith("Move 12 is wrong: ")
    assert view.locator("#log li.fault").get_attribute("data-move") == "12"
    keep(view, "broken")
    press(view, "ArrowLeft", 2)
    assert current_move(view) == "11"
    press(view, "ArrowDown")
    assert spoken(view).startswith("The record is wrong: ")
    keep(view, "no-record")


# For everybody


def test_what_a_screen_reader_is_told(show):
    view = show(LINES[4])
    for lang in ("en", "zh"):
        unnamed = view.evaluate("""() => [...document.querySelectorAll("button, input, select, [role], summary")]
            .filter((each) => !(each.ariaLabel || each.textContent.trim() || each.labels?.[0]?.textContent.trim()))
            .map((each) => each.outerHTML)""")
        assert unnamed == [], lang
        press(view, "l")
    press(view, "ArrowRight")
    assert view.locator("#spoken").get_attribute("aria-live") == "polite"
    assert " discards " in spoken(view)
    thrower = spoken(view).partition(" discards ")
    label = view.locator(f'section.seat[aria-label^="{thrower[0]}"] .discards').get_attribute("aria-label")
    assert label == f"Discards of {thrower[0]}: {thrower[2]}"


def test_how_long_an_answer_takes(show, tmp_path):
    """Told, not judged: a machine may be busy. A frame is 16 ms."""
    records = tmp_path / "many.jsonl"
    simulate("jintan", 64, 0, "random", 1, str(records))
    view = show(*records.read_bytes().splitlines())
    times = view.evaluate("""() => ["ArrowRight", "ArrowLeft", "ArrowDown", "o", "v"].flatMap((key) =>
        Array.from({ length: 40 }, () => {
            const start = performance.now();
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            document.body.getBoundingClientRect();
            return [key, performance.now() - start];
        }))""")
    told = []
    for key in dict.fromkeys(key for key, _ in times):
        mine = [took for each, took in times if each == key]
        told.append(f"{key:10}  median {statistics.median(mine):5.1f} ms  most {max(mine):5.1f} ms")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    (SCREENSHOTS / "latency.txt").write_text("\n".join(told) + "\n", "utf-8")
    print("\n".join(told))
    assert view.locator("#hand").input_value() == "40"
