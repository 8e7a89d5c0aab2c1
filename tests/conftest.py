"""Settings for all tests: JAX on eight CPU devices, hypothesis profiles, how much to run."""

from __future__ import annotations

import os
from collections.abc import Iterator

# Before anything imports JAX.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
if "xla_force_host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=8".strip()

import hypothesis
import pytest

from tests import depth

# A third of the time goes into machine code for programs that run once: ordinarily it is not optimised.
if not depth.ALL and "xla_backend_optimization_level" not in os.environ["XLA_FLAGS"]:
    os.environ["XLA_FLAGS"] += " --xla_backend_optimization_level=0"

# The same examples on every machine and every day: a red test is always somebody's change.
hypothesis.settings.register_profile("normal", derandomize=True, deadline=None, max_examples=100)
hypothesis.settings.register_profile("all", derandomize=True, deadline=None, max_examples=2_000)
hypothesis.settings.load_profile("all" if depth.ALL else "normal")


@pytest.fixture
def own_models(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forget after the test the op models that it declares."""
    from sdy.dialect.ops import model

    monkeypatch.setattr(model, "_users", {key: list(models) for key, models in model._users.items()})
    model.forget_models()
    yield
    monkeypatch.undo()
    model.forget_models()


def pytest_report_header() -> list[str]:
    from tests import oracle

    reference = "present" if oracle.available else "absent, parity tests are skipped"
    return [f"reference: {reference}; depth: {'all' if depth.ALL else 'normal'} (SDY_TESTS=all for more)"]
