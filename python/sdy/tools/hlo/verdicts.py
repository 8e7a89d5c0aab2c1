"""Verdicts of XLA on HLO text, in a separate process, which some texts end (spec: async, 2.1).

XLA's verifier is reached by the hook that can replace a module in the middle of a compilation: a module from there is
verified first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import Protocol

from sdy import hlo_text
from sdy.lazy_dataclass import dataclass
from sdy.programs.isolated import Child, Died


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict of XLA on one text.

    Attributes:
      is_read: whether its parser reads the text.
      is_valid: whether its verifier accepts the module; None if it was not asked, or cannot be.
      message: its message on a rejection.
      crashed: whether the text ended its process.
      printed: its text of the module, if it accepts it.
    """

    is_read: bool
    is_valid: bool | None
    message: str = ""
    crashed: bool = False
    printed: str = ""

    def __str__(self) -> str:
        if self.crashed:
            return "XLA's process ends on this text"
        if not self.is_read:
            return f"XLA's parser: {self.message}"
        if self.is_valid is None:
            return f"XLA's verifier cannot be asked: {self.message}" if self.message else "XLA's parser reads it"
        return "XLA's verifier: valid" if self.is_valid else f"XLA's verifier: {self.message}"


class Verdicts:
    """Queries XLA's verdict on successive texts; a context manager, which ends the process."""

    def __init__(self) -> None:
        self._child = Child({"JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3"})

    def __enter__(self) -> Verdicts:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process of XLA."""
        self._child.close()

    def of(self, text: str, verify: bool = True) -> Verdict:
        """Return XLA's verdict on a text; `verify` also runs its verifier, which takes some 40 ms.

        Raises:
          RuntimeError: XLA cannot be asked here.
        """
        try:
            return self._child.call(_verdict, (text, verify))
        except Died:
            return Verdict(False, False, crashed=True)

    def each(self, texts: Iterable[str], verify: bool = True) -> Iterator[Verdict]:
        """Return XLA's verdict on each text, in order."""
        return (self.of(text, verify) for text in texts)


# In the process of XLA ------------------------------------------------------------------------------------------------


def _verdict(question: tuple[str, bool]) -> Verdict:
    return _xla().verdict(*question)


@lru_cache(maxsize=1)
def _xla() -> _Xla:
    try:
        return _Xla()
    except Exception as error:  # noqa: BLE001 - it is told to who asks
        raise RuntimeError(f"XLA cannot be asked: {type(error).__name__}: {error}") from None


_VERIFYING = "during context [apply-xla-transforms"
_SIGNATURE = "hlo_module.cc"


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

    def verdict(self, text: str, verify: bool) -> Verdict:
        try:
            module = self._hlo.hlo_module_from_text(text)
        except Exception as error:  # noqa: BLE001 - whatever it is that XLA raises is its answer
            return Verdict(False, False, _reason(str(error)))
        printed = module.to_string()
        is_valid, message = self._verified(module, text) if verify else (None, "")
        return Verdict(True, is_valid, message, printed=printed)

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
