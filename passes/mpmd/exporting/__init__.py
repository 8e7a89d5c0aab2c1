"""Passes behind propagation: fragments become calls of functions with marks for memory and donation."""
