"""Taking sharding text off ops, arguments and results."""

from __future__ import annotations

from collections.abc import Mapping

from sdy.mlir import ir
from sdy.passes.interchange.sites import TEXT, Site


def remove_text(site: Site) -> None:
    """Removes the sharding text of `site`."""
    if site.entries:
        entry = site.op.attributes[site.entries][site.number]
        set_entry_attributes(site, {one.name: one.attr for one in entry if one.name != TEXT})
    else:
        del site.op.attributes[TEXT]


def set_entry_attributes(site: Site, entry: Mapping[str, ir.Attribute]) -> None:
    """Replaces all attributes of an argument or result."""
    changed = list(site.op.attributes[site.entries])
    changed[site.number] = ir.DictAttr.get(dict(entry))
    if any(len(one) for one in changed):
        site.op.attributes[site.entries] = ir.ArrayAttr.get(changed)
    else:
        del site.op.attributes[site.entries]
