# What type checkers see of the bindings, which have no stubs of their own.

from .typed_bindings import ext as ext
from .typed_bindings import ir as ir
from .typed_bindings import irdl as irdl
from .typed_bindings import passmanager as passmanager
from .typed_bindings import quant as quant
from .typed_bindings import rewrite as rewrite
from .typed_bindings import stablehlo as stablehlo
from .typed_bindings.passmanager import PassManager as PassManager

BINDINGS: str

def address(of: ir.Value | ir.Type | ir.Attribute | ir.Block | None, /) -> int: ...
def load_chlo(context: ir.Context) -> None: ...
def register_stablehlo_passes() -> None: ...
