"""What people are told about a program: its communication, explanations, tables, timelines."""
