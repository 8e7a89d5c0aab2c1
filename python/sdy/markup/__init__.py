"""Shardings and reports as HTML and SVG: what pages and notebooks show."""
