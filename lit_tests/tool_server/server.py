"""Runs the command-line tools of lit tests in forks of one process that has imported them already.

A tool takes 0.3 s to import, more with what passes import when they run, and a few hundredths of a second to do what a
small test asks. `python server.py SOCKET`
listens at SOCKET for requests of `client.py`, runs each in a fork that has the client's arguments, environment, folder
and standard streams, and answers with the exit status. It ends when its standard input does, that is with lit.
"""

from __future__ import annotations

import gc
import json
import os
import pkgutil
import selectors
import shutil
import signal
import socket
import sys
import traceback
from importlib import import_module

TOOLS = {
    "sdy-opt": "sdy.tools.sdy_opt",
    "sdy-run": "sdy.tools.sdy_run",
    "sdy-hlo": "sdy.tools.sdy_hlo",
    "sdy-auto": "sdy.tools.sdy_auto",
    "sdy-report": "sdy.tools.sdy_report",
    "filecheck": "filecheck.main",
}
"""What may be asked for, and the module whose `main` it is."""


LOADED = (*TOOLS.values(), "sdy.tools.opt.opt_tool")
PACKAGES = ("sdy.stablehlo", "sdy.dialect", "sdy.passes")
"""What is imported before the first request: these modules, and all that are in these packages."""


def main(path: str) -> None:
    load()
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening, selectors.DefaultSelector() as selector:
        listening.bind(f"{path}.new")
        listening.listen(128)
        os.rename(f"{path}.new", path)
        selector.register(listening, selectors.EVENT_READ)
        selector.register(sys.stdin, selectors.EVENT_READ)
        while all(key.fileobj is listening for key, _ in selector.select()):
            connection, _ = listening.accept()
            with connection:
                if os.fork() == 0:
                    try:
                        answer(connection)
                    finally:
                        os._exit(1)  # whatever happened: there is one server
    shutil.rmtree(os.path.dirname(path))


def load() -> None:
    """Imports what tools need, and fills the caches that reading and printing a module fills."""
    for module in LOADED:
        import_module(module)
    for package in PACKAGES:
        for each in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            import_module(each.name)
    sdy = import_module("sdy")
    module = sdy.parse('sdy.mesh @mesh = <["x"=2]> func.func @main() { return }')
    sdy.print_module(module)


def answer(connection: socket.socket) -> None:
    """Runs one request in this process."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    text, streams, _, _ = socket.recv_fds(connection, 1 << 20, 3)
    while not text.endswith(b"\0"):
        text += connection.recv(1 << 20)
    tool, arguments, folder, environment = json.loads(text[:-1])
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    status = run(tool, arguments)
    connection.sendall(bytes([status]))


def run(tool: str, arguments: list[str]) -> int:
    """The exit status of the tool, started as its console script starts it."""
    sys.argv = [tool, *arguments]
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    try:
        status = import_module(TOOLS[tool]).main()
    except SystemExit as end:
        status = end.code
    except BaseException:  # noqa: BLE001  the interpreter, too, prints whatever it is
        traceback.print_exc()
        status = 1
    if isinstance(status, str):
        print(status, file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return status if isinstance(status, int) else int(status is not None)


if __name__ == "__main__":
    main(sys.argv[1])
