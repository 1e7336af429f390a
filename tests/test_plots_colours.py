"""The colours of plots: how well they stand out from the background, and from each other for colour-blind people."""

import itertools

import numpy as np
import pytest

from rankgold.present.plots.theme import DARK, LIGHT
from tests.cases import for_each

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
SIGHTS = pytest.mark.parametrize("sight", ["all cones", "no red cones", "no green cones"])


def linear(colour):
    """The linear red, green and blue of a colour such as #0072b2, from 0 to 1: IEC 61966-2-1."""
    channels = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast(colour, background):
    """The ratio of luminances, as WCAG 2 defines it."""
    low, high = sorted(float(linear(part) @ [0.2126, 0.7152, 0.0722]) for part in (colour, background))
    return (high + 0.05) / (low + 0.05)


# Linear red, green and blue as people see them who lack a kind of cones: Machado, Oliveira and Fernandes 2009.
SEEN = {
    "all cones": np.eye(3),
    "no red cones": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "no green cones": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}


def lab(colour, sight):
    """CIE L*a*b* of a colour as it is seen, under the white of D65."""
    seen = np.clip(SEEN[sight] @ linear(colour), 0, 1)
    to_xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]])  # fmt: skip
    x, y, z = (
        np.cbrt(t) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29
        for t in to_xyz @ seen / (0.95047, 1, 1.08883)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one, other):
    """CIEDE2000 between two colours in L*a*b*, as Sharma, Wu and Dalal 2005 write it."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7))
    c1, c2 = np.hypot(stretch * a1, b1), np.hypot(stretch * a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, stretch * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2

    def cos(degrees):
        return np.cos(np.radians(degrees))

    weight = 1 - 0.17 * cos(hue - 30) + 0.24 * cos(2 * hue) + 0.32 * cos(3 * hue + 6) - 0.2 * cos(4 * hue - 63)
    by_lightness = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    rotation = (
        -2 * np.sqrt(chroma**7 / (chroma**7 + 25**7)) * np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    )
    return np.sqrt(by_lightness**2 + by_chroma**2 + by_hue**2 + rotation * by_chroma * by_hue)


def least_difference(colours, sight):
    seen = [lab(colour, sight) for colour in colours]
    return min(difference(one, other) for one, other in itertools.combinations(seen, 2))


@for_each(
    ("one", "other", "expected"),
    [
        # From the test data of Sharma, Wu and Dalal 2005.
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1, 2), (50, 0, 0), 2.3669),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_formula_gives_the_published_differences(one, other, expected):
    assert difference(one, other) == pytest.approx(expected, abs=5e-5)


def test_red_and_green_of_the_same_lightness_look_alike_to_those_without_green_cones():
    # What the measurement is for: two colours that a palette must not have together.
    pair = ["#b35900", "#708000"]
    assert least_difference(pair, "all cones") > 25
    assert least_difference(pair, "no green cones") < 10


@SIGHTS
@THEMES
def test_every_two_runs_have_different_colours(theme, sight):
    assert least_difference(theme.series, sight) > 11
    assert least_difference([theme.gain, theme.loss], sight) > 25


@THEMES
def test_marks_stand_out_from_the_background(theme):
    for colour in (*theme.series, theme.mark, theme.gain, theme.loss, theme.not_relevant):
        assert contrast(colour, theme.background) >= 3
    for share in np.linspace(0, 1, 21):
        assert contrast(theme.shade(share), theme.background) >= 3


@THEMES
def test_text_can_be_read(theme):
    assert contrast(theme.ink, theme.background) > 7
    for colour in (theme.muted, theme.mark):
        assert contrast(colour, theme.background) > 4.5
    cells = [theme.not_relevant, theme.not_judged, *(theme.shade(share) for share in np.linspace(0, 1, 21))]
    for colour in cells:
        assert contrast(theme.text_colour_on(colour), colour) > 4.5


@SIGHTS
@THEMES
@pytest.mark.parametrize(("levels", "least"), [(1, 17), (2, 17), (3, 17), (4, 11), (6, 6)])
def test_every_two_grades_have_different_colours(theme, sight, levels, least):
    shades = [theme.shade(share) for share in np.linspace(0, 1, levels)] if levels > 1 else [theme.shade(0.5)]
    assert least_difference([theme.not_relevant, *shades], sight) > least
