"""Tests of the parts of the package, in rooms named as those of the package; those of all of it are here."""
