"""Which texts of a page are hard to read: their contrast, as WCAG 2 measures it, is too small."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator

ENOUGH = 4.5

# Opacity and translucent colours are mixed with what lies behind; what is switched off is exempt, as in WCAG.
_RATIOS = """root => {
    const pen = Object.assign(document.createElement("canvas"), {width: 1, height: 1})
        .getContext("2d", {willReadFrequently: true});
    const rgba = colour => {
        pen.clearRect(0, 0, 1, 1);
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
        return [red, green, blue, alpha / 255];
    };
    const over = (top, ground) => [0, 1, 2].map(i => top[i] * top[3] + ground[i] * (1 - top[3])).concat(1);
    const linear = value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const luminance = ([red, green, blue]) =>
        0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
    const ratio = (a, b) => {
        const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
        return (light + 0.05) / (dark + 0.05);
    };
    const above = node => node ? [...above(node.parentElement), getComputedStyle(node)] : [];
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
        const {data, parentElement: node} = texts.currentNode;
        if (!data.trim() || !node.getClientRects().length || node.closest("style, :disabled, .off")) continue;
        const styles = above(node);
        const ground = styles.reduce((below, style) => over(rgba(style.backgroundColor), below), [255, 255, 255, 1]);
        const ink = rgba(node.namespaceURI.endsWith("svg") ? styles.at(-1).fill : styles.at(-1).color);
        ink[3] *= styles.reduce((product, style) => product * style.opacity, 1);
        found.push([data, ratio(over(ink, ground), ground)]);
    }
    return found;
}"""


def hard_to_read(shown: Locator) -> dict[str, float]:
    """Texts with too little contrast, and how much they have."""
    ratios = dict(shown.evaluate(_RATIOS))
    assert ratios, "there is no text"
    return {text: round(ratio, 2) for text, ratio in ratios.items() if ratio < ENOUGH}
