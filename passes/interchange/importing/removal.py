"""Taking sharding text off where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from sdy.mlir import ir
from sdy.passes.interchange.sites import TEXT, Site


def remove_texts(sites: Sequence[Site]) -> None:
    """Removes the sharding text of `sites`; those of one function stand together."""
    for (op, entries), listed in groupby(sites, key=lambda site: (site.op, site.entries)):
        if not entries:
            del op.attributes[TEXT]
            continue
        numbers = {site.number for site in listed}
        changed = [
            ir.DictAttr.get({one.name: one.attr for one in entry if one.name != TEXT}) if number in numbers else entry
            for number, entry in enumerate(op.attributes[entries])
        ]
        if any(len(entry) for entry in changed):
            op.attributes[entries] = ir.ArrayAttr.get(changed)
        else:
            del op.attributes[entries]
