"""Reading and writing text: with our assembly engine around the upstream parser, and with C++ alone.

Programs are as propagation leaves them, so that most ops have shardings. Both sides verify what they read. The last
table is ours alone, on one program repeated up to 10 MB: time has to grow with the size.
"""

from __future__ import annotations

import re

import sdy
from benchmarks.common import Prepare, paired, print_table, seconds
from benchmarks.peers import Ours, Reference
from tests.data.generate import program

PROGRAMS = ("transformer_2", "transformer_24", "transformer_96")


def main() -> None:
    ours, reference = Ours(), Reference()
    texts = {name: reference.result(program(name), "sdy-propagation-pipeline") for name in PROGRAMS}
    for title, work in (("parse and verify", "parsing"), ("print", "printing"), ("parse, verify and print", "both")):
        rows = [
            paired(f"{name}, {len(text) / 1e6:.2f} MB", _work(ours, work, text), _work(reference, work, text))
            for name, text in texts.items()
        ]
        print_table(title, rows)
    _growth(texts["transformer_24"])


def _work(peer: Ours | Reference, work: str, text: str) -> Prepare:
    if work != "both":
        return getattr(peer, work)(text)
    parse, write = peer.parsing(text)(), peer.printing(text)()
    return lambda: lambda: (parse(), write())


def _growth(text: str) -> None:
    """Time per megabyte for one to ten copies of a program's functions."""
    body = text[text.index("{\n") + 2 : text.rindex("}")]
    mesh, functions = body.split("\n", 1)
    names = "|".join(re.findall(r"func\.func [^@]*@(\w+)", functions))
    print("time per MB of text, parse, verify and print (ours)")
    for copies in (1, 3, 10):
        renamed = (re.sub(rf"@({names})\b", rf"@\1_{copy}", functions) for copy in range(copies))
        repeated = f"module {{\n{mesh}\n{''.join(renamed)}}}\n"
        spent = min(seconds(lambda text=repeated: lambda: sdy.print_module(sdy.parse(text))) for _ in range(3))
        megabytes = len(repeated) / 1e6
        print(f"  {megabytes:6.2f} MB   {spent:8.3f} s   {spent / megabytes:8.4f} s/MB")
    print(flush=True)


if __name__ == "__main__":
    main()
