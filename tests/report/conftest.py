"""A browser without a window, offline, and pages in it of which nothing may go wrong."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sdy
from sdy.page.data_types import PageData
from sdy.page.render import STATIC
from tests.report.layers import layers

REQUIRED = os.environ.get("SDY_BROWSER") == "required"
"""Whether a missing browser is a failure (where `.ci/run` has one) instead of a reason to skip."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

Opener = Callable[..., Any]


def _missing(what: str) -> None:
    if REQUIRED:
        pytest.fail(f"SDY_BROWSER=required, but {what}")
    pytest.skip(what)


@pytest.fixture(scope="session")
def built() -> None:
    """Skips what needs the code of the page, in a checkout where that was never built."""
    if not (STATIC / "report.js").exists():
        _missing("the page was never built: `make page`")


@pytest.fixture(scope="session")
def browser(built: None) -> Iterator[Any]:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        _missing(f"there is no browser: none of {', '.join(BROWSERS)} is installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("playwright is not installed: pip install 'sdy[browser]'")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def one_plan() -> PageData:
    """Four layers on a machine, with causes, and with cures for one collective."""
    return sdy.page.data(layers(4), machine="h100", title="four layers", parts=sdy.page.Parts(cures=1))


@pytest.fixture(scope="session")
def two_plans() -> PageData:
    """Megatron's shardings, and weights that are split over `data` as well; without a machine."""
    split = layers(4, '[{"data"}, {"model"}]', '[{"model"}, {"data"}]')
    plans = sdy.page.Plan(layers(4), "Megatron"), sdy.page.Plan(split, "FSDP too")
    return sdy.page.data(*plans, title="two plans", parts=sdy.page.Parts(cures=0))


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opener]:
    """Opens the page of some data; at the end, no error was in its console, and it asked for nothing but itself."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def open_page(found: PageData | str, *, compress: bool = True, **options: Any) -> Any:
        path = tmp_path / f"page{len(contexts)}.html"
        path.write_text(found if isinstance(found, str) else sdy.page.html(found, compress=compress))
        options = {"color_scheme": "light", "viewport": {"width": 1440, "height": 900}, **options}
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: message.type in ("error", "warning") and wrong.append(message.text))
        page.on("request", lambda request: request.url.startswith(("http", "ws")) and wrong.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong
