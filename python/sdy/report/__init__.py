"""Reports on a program: communication, explanations, tables, timelines."""
