"""Dialects that are declared in Python: what IRDL and the bindings do not have by themselves."""
