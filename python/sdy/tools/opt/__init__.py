"""What `sdy-opt` does: its command line, and what it says besides the module."""
