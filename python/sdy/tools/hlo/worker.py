"""The process that queries XLA about HLO text; see `verdicts`.

A query is a line of JSON, and so is the answer. XLA's verifier is reached by the hook that can replace a module in the
middle of a compilation: a module from there is verified first.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import NotRequired, Protocol, TypedDict

from sdy import hlo_text

_VERIFYING = "during context [apply-xla-transforms"
_SIGNATURE = "hlo_module.cc"


class Answer(TypedDict):
    """An answer; see `Verdict`."""

    is_read: bool
    is_valid: bool | None
    message: str
    printed: NotRequired[str]


class _HloModule(Protocol):
    """The methods of XLA's modules in use; jaxlib has no types for them."""

    def to_string(self) -> str: ...

    def as_serialized_hlo_module_proto(self) -> bytes: ...


class _Xla:
    """XLA:CPU with a hook that compiles `replacement` instead of its input."""

    def __init__(self) -> None:
        import jax
        from jax.extend import xla

        self._hlo = import_module("jaxlib._hlo")
        self._jax = import_module("jaxlib._jax")
        self._client = jax.devices("cpu")[0].client
        self.replacement = b""
        xla.register_hlo_module_transformation(
            lambda _: self.replacement, name="sdy-verdicts", stage=xla.PipelineStage.PRE_SCHEDULER, platforms="cpu"
        )

    def answer(self, text: str, verify: bool) -> Answer:
        try:
            module = self._hlo.hlo_module_from_text(text)
        except Exception as error:  # noqa: BLE001 - whatever it is that XLA raises is its answer
            return {"is_read": False, "is_valid": False, "message": _reason(str(error))}
        printed = module.to_string()
        is_valid, message = self._verified(module, text) if verify else (None, "")
        return {"is_read": True, "is_valid": is_valid, "message": message, "printed": printed}

    def _verified(self, module: _HloModule, text: str) -> tuple[bool | None, str]:
        try:
            carrier = self._hlo.hlo_module_from_text(_carrier(text)).as_serialized_hlo_module_proto()
            program = self._jax.mlir.hlo_to_stablehlo(carrier)
        except Exception as error:  # noqa: BLE001
            return None, _reason(str(error))
        self.replacement = module.as_serialized_hlo_module_proto()
        try:
            self._client.compile_and_load(program, self._client.devices()[:1], self._jax.CompileOptions())
        except Exception as error:  # noqa: BLE001
            message = str(error)
            if _SIGNATURE in message and _VERIFYING not in message:
                return None, "a program with these parameters cannot be compiled"
            # That XLA:CPU has no code for an operation is said when the module has been verified.
            return not (_VERIFYING in message or message.startswith("INTERNAL")), _reason(message)
        return True, ""


def _carrier(text: str) -> str:
    """A program with the same parameters and results."""
    entry = hlo_text.parse(text).entry_computation
    parameters = [f"p{number} = {each.shape.plain} parameter({number})" for number, each in enumerate(entry.parameters)]
    names = ", ".join(f"p{number}" for number in range(len(parameters)))
    root = f'ROOT r = {entry.root.shape.plain} custom-call({names}), custom_call_target="carrier"'
    body = "\n  ".join([*parameters, root])
    return f"HloModule carrier\n\nENTRY e {{\n  {body}\n}}\n"


def _reason(message: str) -> str:
    lines = [line for line in message.splitlines() if line.strip()]
    errors = [line.partition("error: ")[2] for line in lines if "error: " in line]
    reason = errors[0] if errors else lines[0] if lines else ""
    return reason.partition("]. ")[2] or reason.partition("]: ")[2] or reason


def main() -> None:
    """Answer questions on standard input until it ends."""
    try:
        xla = _Xla()
    except Exception as error:  # noqa: BLE001 - said to who has started this process
        print(json.dumps(f"{type(error).__name__}: {error}"), flush=True)
        return
    print(json.dumps(""), flush=True)
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps(xla.answer(question["text"], question["verify"])), flush=True)


if __name__ == "__main__":
    main()
