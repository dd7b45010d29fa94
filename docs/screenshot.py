"""Take the README's picture: one experiment's page of a running server, as a browser shows it.

    python docs/screenshot.py --height 2215 http://127.0.0.1:8000
    python docs/screenshot.py http://127.0.0.1:8000/experiments/ID --dark --width 390

Given a server's address it shows the newest experiment that was decided, or else the newest. It
needs Chromium (Debian: ``apt install chromium``) and what ``pip install 'tabia[dev]'`` installs.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import httpx
from playwright.sync_api import sync_playwright

IMAGE = Path(__file__).parent / "images" / "experiment.png"


def page_of(address: str) -> str:
    """The address of an experiment's page: ``address`` itself, or one that its server lists."""
    if "/experiments/" in address:
        return address
    server = address.rstrip("/")
    try:
        answer = httpx.get(f"{server}/api/v1/experiments").raise_for_status()
    except httpx.HTTPError as error:
        sys.exit(f"{server} does not answer as a Tabia server: {error}")
    listed = answer.json()["experiments"]
    if not listed:
        sys.exit(f"{server} has no experiment to show")
    decided = [each for each in listed if each["state"] == "decided"]
    return f"{server}/experiments/{(decided or listed)[0]['id']}"


def main() -> None:
    """Read the command line and write the picture."""
    parser = argparse.ArgumentParser(description="Take a picture of an experiment's page.")
    parser.add_argument("address", help="a server, or the page of an experiment")
    parser.add_argument("--output", type=Path, default=IMAGE)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, help="default: the whole page")
    parser.add_argument("--dark", action="store_true")
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("no Chromium on this machine (Debian: apt install chromium)")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        page = browser.new_page(
            viewport={"width": options.width, "height": options.height or 900},
            color_scheme="dark" if options.dark else "light",
            device_scale_factor=1.5 if options.width < 600 else 1,
        )
        page.goto(page_of(options.address), wait_until="load")
        if page.locator("#chart:visible").count():
            page.locator("#chart canvas").wait_for()
        page.screenshot(path=options.output, full_page=options.height is None)
        browser.close()
    print(options.output)


if __name__ == "__main__":
    main()
