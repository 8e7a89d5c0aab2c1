# To type checkers. The bindings have no stubs, so what comes out of them may be anything.

from typing import Any

def __getattr__(name: str) -> Any: ...

class _Declared(Any):
    def __init_subclass__(cls, **arguments: Any) -> None: ...

class ext(Any):  # noqa: N801
    class Dialect(Any):
        def __init_subclass__(cls, **arguments: Any) -> None: ...

        Attribute = _Declared
        Operation = _Declared
        Type = _Declared
