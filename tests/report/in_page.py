"""What is asked of a page in the browser."""

from __future__ import annotations

WIDEST = """() => Math.max(
  document.documentElement.scrollWidth,
  ...[...document.querySelectorAll('header *, .head .cell, .heads span, .row:not(.head) .where, .card')]
    .filter((each) => each.checkVisibility())
    .map((each) => each.getBoundingClientRect().right),
)"""
"""Where what must be in view ends at the right."""

CONTRASTS = """() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  const pixel = (fills) => {
    pen.clearRect(0, 0, 1, 1);
    for (const fill of fills) { pen.fillStyle = fill; pen.fillRect(0, 0, 1, 1); }
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = ([red, green, blue]) =>
    0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
  const isText = (each) => each.checkVisibility() && !/^(SCRIPT|OPTION|STYLE|TITLE)$/i.test(each.tagName)
    && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const faint = [];
  for (const each of [...document.querySelectorAll('body *')].filter(isText)) {
    const behind = [];
    for (let at = each; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
    const rect = each.closest('[data-piece]')?.querySelector('rect');
    if (rect) behind.push(getComputedStyle(rect).fill);
    const style = getComputedStyle(each);
    const pixels = [pixel(behind), pixel([...behind, each.closest('svg') ? style.fill : style.color])];
    const [back, front] = pixels.map(light);
    const ratio = (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05);
    if (ratio < 4.5) faint.push(`${each.tagName} ${each.textContent.slice(0, 20)}: ${ratio.toFixed(2)}`);
  }
  return faint;
}"""
"""Texts whose contrast with what is behind them is below 4.5."""

WRITING = """() => {
  window.written = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    window.written.push([text, this.textAlign]);
    return write.call(this, text, ...place);
  };
}"""
"""From then on, what is written into canvases is in `written`, with the side that it is aligned to."""

READY = "performance.now()"
"""Milliseconds since the page was asked for."""

SETTLED = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20)));
})"""
"""Waits for two frames, behind the first of which effects run."""
