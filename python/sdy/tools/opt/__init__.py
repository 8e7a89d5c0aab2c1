"""Parts of `sdy-opt`: its command line, passes and reports."""
