"""A pass and a dialect for `--load-pass-plugin` and `--load-dialect-plugin`."""

from pathlib import Path

import sdy


@sdy.pass_("remove-constants-of-mine")
def remove_constants_of_mine(module):
    """remove-constants-of-mine: erases functions without results."""
    for func in sdy.funcs(module):
        if not func.attributes["function_type"].value.results:
            func.erase()


IRDL = Path(__file__).with_name("mine.irdl.mlir")
sdy.register_dialect("mine", lambda context: sdy.load_irdl_file(IRDL, context))


@sdy.pass_("fail-as-mine")
def fail(module):
    """fail-as-mine: has a fault."""
    raise KeyError("mesh")
