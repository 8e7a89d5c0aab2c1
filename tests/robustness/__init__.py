"""Whatever the input, sdy-opt answers with a module or with diagnostics: no traceback, no abort, no hang."""
