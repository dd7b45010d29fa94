"""The style sheet: text has contrast enough for everybody, in both colour schemes."""

from __future__ import annotations

import re

import pytest

from tabia.dashboards.assets import STATIC

SHEET = (STATIC / "tabia.css").read_text()
LIGHT, DARK = re.findall(r":root \{(.*?)\}", SHEET, flags=re.DOTALL)


def _colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


def _luminance(colour: str) -> float:
    """Relative luminance by WCAG 2.2."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("text", ["ink", "soft", "link", "a", "b", "good", "bad"])
@pytest.mark.parametrize("ground", ["paper", "raised"])
def test_text_stands_out_from_its_ground(scheme: str, text: str, ground: str) -> None:
    colours = _colours(LIGHT) | (_colours(DARK) if scheme == "dark" else {})
    assert _contrast(colours[text], colours[ground]) >= 4.5


def test_nothing_is_loaded_from_elsewhere() -> None:
    assert "url(" not in SHEET
    assert "@import" not in SHEET
