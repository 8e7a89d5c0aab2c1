"""Shardings and reports as HTML and SVG, for pages and notebooks."""
