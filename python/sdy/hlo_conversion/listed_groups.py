"""Replica groups by mesh axes as lists of devices, for instructions whose op in MHLO has only those."""

from __future__ import annotations

import dataclasses
import re

from sdy.dialect.values.axes import AxisRef
from sdy.dialect.values.mesh import Mesh, MeshAxis
from sdy.hlo_text import HloModule, Instruction, TupleShape

_BY_AXES = re.compile(r"mesh\[([^\]]*)\]\s*\{([^}]*)\}")
_SIZE = re.compile(r"'([^']*)'=(\d+)")
_AXIS = re.compile(r"'([^']*)'(?::\((\d+)\)(\d+))?")


def with_listed_groups(module: HloModule) -> HloModule:
    """The module with the devices of each group listed in every all-to-all of several parts."""
    computations = {}
    for each in module.computations:
        if any(_has_parts(one) for one in each.instructions):
            instructions = tuple(_listed(one) if _has_parts(one) else one for one in each.instructions)
            computations[each.name] = dataclasses.replace(each, instructions=instructions)
    return module.with_computations(computations) if computations else module


def _has_parts(instruction: Instruction) -> bool:
    return instruction.opcode == "all-to-all" and isinstance(instruction.shape, TupleShape)


def _listed(instruction: Instruction) -> Instruction:
    found = _BY_AXES.fullmatch(instruction.attribute("replica_groups") or "")
    if found is None:
        return instruction
    mesh = Mesh(tuple(MeshAxis(name, int(size)) for name, size in _SIZE.findall(found[1])))
    axes = [
        AxisRef.sub(name, int(pre), int(size)) if pre else AxisRef(name) for name, pre, size in _AXIS.findall(found[2])
    ]
    groups = ",".join("{" + ",".join(map(str, group)) + "}" for group in mesh.replica_groups(axes).tolist())
    attributes = ((key, f"{{{groups}}}" if key == "replica_groups" else value) for key, value in instruction.attributes)
    return dataclasses.replace(instruction, attributes=tuple(attributes))
