"""The rooms of the house: which of them may know which others, read off the imports (see docs/architecture.md)."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import sdy
import sdy.dialect
import sdy.passes
from sdy.dialect.ops.model import FAMILIES, built_in_models

ROOT = Path(__file__).parents[2]
UNIT = Path(__file__).parent
FOLDERS = {"sdy": ROOT / "python" / "sdy", "sdy.dialect": ROOT / "dialect", "sdy.passes": ROOT / "passes"}
PASSES = "sdy.passes."
PARTITIONING = "sdy.passes.partitioning."

STOREYS = ("lazy_dataclass", "mlir", "stablehlo", "values", "dialect", "passes", "public", "frontends")
"""From below; no room knows one above it."""

SHELVES = ("analysis", "reshard_planning")
"""Rooms of the partitioner that its other rooms take from; each takes from those before it."""

STAGES = ("importing", "propagation", "exporting", "partitioning")

PIPELINES_IN_PASSES = {
    "sdy.passes.auto.search.reshard_prices": "what an op exchanges is read off what becomes of it by itself",
    "sdy.passes.auto.plan_costs": "a plan is measured by partitioning a copy",
    "sdy.passes.auto.written_plans": "the search works on a copy without calls",
    "sdy.passes.executable.unsupported_ops": "upstream's pass spells out an op, in a module for it alone",
    "sdy.passes.general.cleanup": "upstream's passes do the rest",
    "sdy.passes.general.stablehlo_simplification": "upstream's pass does half of it",
    "sdy.passes.partitioning.collectives.merge_patterns": "upstream's pass does the rest",
    "sdy.passes.interchange.importing.foreign_import": "which pipeline it runs depends on options and on the module",
    "sdy.passes.interchange.importing.sharding_texts": "meshes are inlined by the pass for that",
    "sdy.passes.overlap.placement.placing": "what placing gives is measured by placing, on a copy",
    "sdy.passes.partitioning.debugging.per_instruction_partitioning": "running passes on single ops is what it is for",
    "sdy.passes.propagation.engine.session": "dead code goes before propagation, by upstream's pass",
    "sdy.passes.propagation.explain.propagation_trace": "explains a run of the pipeline, on a copy",
}
"""Modules of passes that run pipelines themselves, and why."""

PUBLIC_NAMES_OF_PASSES = ("registry", "manager", "options", "steps", "ir_printing", "costs")
"""What the public package may take from the passes, besides pipelines, their options, and what explains them."""

FACES = {
    "sdy.passes.auto.annotating": "what a plan says of each value, and comes down to, for its file and report",
    "sdy.passes.auto.plan_costs": "what `sdy.auto.partition` asks for and gets, and what a step takes",
    "sdy.passes.auto.planner": "`sdy.auto.partition`",
    "sdy.passes.auto.written_plans": "programs with a plan in them, for its file",
    "sdy.passes.executable.records": "what the passes before XLA note about a program, for whoever runs it",
    "sdy.passes.executable.user_partitions": "what a program asks its partitioner, and how that asks users",
    "sdy.passes.mpmd.common.order": "rules of schedules are checked against data flow",
    "sdy.passes.mpmd.common.fragments": "fragments as `sdy.jax.mpmd` hands them to rules of users",
    "sdy.passes.mpmd.common.rules": "rules of users, in Python and as text",
    "sdy.passes.mpmd.scheduling.pipeline_schedules": "the built-in schedules, which the registered ones of Python are",
    "sdy.passes.interchange.importing.foreign_shardings": "whether a program comes with shardings of others",
    "sdy.passes.partitioning.local.local_types": "`sdy.local_return_types`, `sdy.localize_attributes`",
    "sdy.dialect.lowering.local_op": "`sdy.keep_and_combine`, `sdy.replace_and_combine`",
    "sdy.passes.propagation.auto_partitioner": "`sdy.auto_partitioner`",
    "sdy.passes.propagation.engine.driver": "names the groups of values that are sharded alike, for explanations",
}
"""Modules of passes that the public package knows besides, and why."""

INSIDE = {
    "sdy.dialect.assembly": "printing is loaded for who prints",
    "sdy.hlo_conversion.jaxlib_road": "JAX is loaded when HLO is converted",
    "sdy.jax.report_options": "MLIR is loaded for programs of which somebody wants to know what they send",
    "sdy.jax.context": "MLIR is loaded for programs that are to be partitioned, not for those that are",
    "sdy.jax.annotations.given_shardings": "as `sdy.jax.context`",
    "sdy.jax.jitted": "as `sdy.jax.context`",
    "sdy.jax.partitioner": "as `sdy.jax.context`",
    "sdy.jax.stages": "as `sdy.jax.context`",
    "sdy.markup.templating": "Jinja is loaded for what is drawn, not for what is told as text",
    "sdy.passes.importing.constraints": "records of axes are loaded for runs that write them",
    "sdy.passes.interchange.importing.import_foreign_shardings": "readers of sharding text: for programs with some",
    "sdy.passes.propagation.engine.session": "as `sdy.passes.importing.constraints`",
    "sdy.passes.propagation.propagation_pipeline": "users' partitioners are loaded where the pipeline runs one",
    "sdy.passes.partitioning.analysis.memory_budget": "liveness is loaded where something could be kept",
    "sdy.passes.partitioning.analysis.neighbours": "intervals are loaded for ops that need neighbours",
    "sdy.passes.partitioning.exchange.factor_resolution": "each exchange is loaded for ops that it rewrites",
    "sdy.passes.partitioning.resolve_permutation_factors": "what exchanges is loaded for ops that need neighbours",
    "sdy.partition": "printing is loaded for who wants the program after each pass, bytecode to copy modules",
    "sdy.programs.given_modules": "shardings of others are loaded for programs that may have some, bytecode for copies",
    "sdy.programs.sources": "bytecode is loaded for who gives bytes",
    "sdy.partitioned_module": "reports load MLIR, and pictures more: programs that were partitioned before run without",
    "sdy.pytest_plugin": "MLIR is loaded for tests that keep a snapshot",
    "sdy.programs.parsing": "templates are loaded for notebooks",
    "sdy.programs.bytecode": "jaxlib is loaded in a process of its own",
    "sdy.running.boundary": "JAX is loaded for types of arrays; programs are partitioned without it",
    "sdy.torch.programs": "JAX is loaded to run programs; they are planned without it",
    "sdy.tools.hlo.verdicts": "JAX is loaded in a process of its own",
}
"""Modules with imports inside of functions, and why."""


def _modules() -> dict[str, Path]:
    found = {}
    for package, folder in FOLDERS.items():
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            if package != "sdy" or parts[0] not in ("dialect", "passes"):
                name = ".".join([package, *parts])
                found[name.removesuffix(".__init__")] = path
    return found


MODULES = _modules()


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def _forget_trees() -> Iterator[None]:
    """Trees of all files make each collection of garbage slow, for the tests of other files, too."""
    yield
    for cached in (_tree, _nodes, _for_types, _imports):
        cached.cache_clear()


@cache
def _nodes(module: str) -> list[ast.AST]:
    return [*ast.walk(_tree(module))]


@cache
def _for_types(module: str) -> frozenset[int]:
    """Nodes below `if TYPE_CHECKING:`, by identity: what is named there is not loaded."""
    checks = [node for node in _nodes(module) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    return frozenset(id(each) for check in checks for node in check.body for each in ast.walk(node))


def _named(node: ast.AST) -> list[str]:
    """The modules of this project that an import names."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        names = [f"{node.module}.{alias.name}" for alias in node.names]
        names = [name if name in MODULES else node.module for name in names]
    else:
        return []
    return [name for name in names if name in MODULES]


@cache
def _imports() -> list[tuple[str, str]]:
    """Who loads whom, wherever in the file the import stands."""
    pairs = (
        (module, name)
        for module in MODULES
        for node in _nodes(module)
        if id(node) not in _for_types(module)
        for name in _named(node)
    )
    return sorted({(module, name) for module, name in pairs if module != name})


def _storey(module: str) -> int:
    parts = [*module.split("."), "", ""]
    room = "values" if parts[1:3] == ["dialect", "values"] else parts[1]
    if room in ("tools", "jax", "torch"):
        return len(STOREYS) - 1
    return STOREYS.index(room) if room in STOREYS else STOREYS.index("public")


def _room(module: str, above: str) -> str:
    """The room of `module` in the room `above`; nothing for a module that stands there itself."""
    first, _, rest = module.removeprefix(above).partition(".")
    return first if rest or MODULES[above + first].name == "__init__.py" else ""


def test_one_import_root() -> None:
    """The parts of the package lie in one folder, found by Python alone: no import hook, no list of files."""
    folder = Path(str(sdy.__file__)).parent
    assert Path(str(sdy.dialect.__file__)).parent == folder / "dialect"
    assert Path(str(sdy.passes.__file__)).parent == folder / "passes"
    assert not [finder for finder in sys.meta_path if "editable" in type(finder).__module__]


@pytest.mark.slow  # all imports of all files
def test_arrows_run_down() -> None:
    up = [(module, name) for module, name in _imports() if _storey(name) > _storey(module)]
    assert not up


@pytest.mark.slow  # all imports of all files
def test_no_module_knows_itself_through_others() -> None:
    needs: dict[str, set[str]] = {module: set() for module in MODULES}
    for module, name in _imports():
        # A package that imports its own modules is entered by them, too, and is ready before they run.
        if not module.startswith(f"{name}."):
            needs[module].add(name)
    TopologicalSorter(needs).prepare()  # the error names the circle


def _registers(module: str, kinds: tuple[str, ...]) -> bool:
    decorators = (
        decorator.func
        for node in _nodes(module)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call)
    )
    return any(isinstance(one, ast.Name) and one.id in kinds for one in decorators)


def test_no_pass_knows_a_pass() -> None:
    declared = {module for module in MODULES if module.startswith(PASSES) and _registers(module, ("pass_",))}
    assert len(declared) > 30
    assert not [(module, name) for module, name in _imports() if module in declared and name in declared]


def test_who_runs_pipelines_in_passes() -> None:
    runs = {module for module, name in _imports() if module.startswith(PASSES) and name == "sdy.passes.manager"}
    assert runs == set(PIPELINES_IN_PASSES)


def test_rooms_of_the_partitioner() -> None:
    for module, name in _imports():
        if not (module.startswith(PARTITIONING) and name.startswith(PARTITIONING)):
            continue
        room, other = _room(module, PARTITIONING), _room(name, PARTITIONING)
        if not room or room == other:
            continue
        assert other in SHELVES or name == f"{PARTITIONING}partition_options", f"{module} takes from {name}"
        if room in SHELVES:
            assert SHELVES.index(other) < SHELVES.index(room), f"{module} takes from {name}"


def test_stages_do_not_know_one_another() -> None:
    stage = {module: module.removeprefix(PASSES).partition(".")[0] for module in MODULES if module.startswith(PASSES)}
    mixed = [
        (module, name)
        for module, name in _imports()
        if stage.get(module) in STAGES and stage.get(name) in STAGES and stage[module] != stage[name]
    ]
    assert not mixed


def test_what_the_public_package_knows_of_passes() -> None:
    public = STOREYS.index("public")
    for module, name in _imports():
        if _storey(module) < public or not name.startswith(PASSES):
            continue
        part = name.removeprefix(PASSES)
        last = part.rpartition(".")[2]
        assert (
            part.partition(".")[0] in PUBLIC_NAMES_OF_PASSES
            or last.endswith(("_pipeline", "_options"))
            or name in FACES
            or ".explain" in name
        ), f"{module} knows {name}"


def test_values_need_no_bindings() -> None:
    program = (
        "import sys, sdy.dialect.values.axes, sdy.dialect.values.sharding, sdy.dialect.values.rule\n"
        "sys.exit(any(name.partition('.')[0] in ('mlir', 'torch_mlir', 'jaxlib') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_rooms_of_the_public_package_know_one_another_one_way() -> None:
    """Its own modules aside, which stand between the rooms."""
    needs = defaultdict(set)
    for module, name in _imports():
        if "sdy" in (module, name):
            continue
        room, other = _room(module, "sdy."), _room(name, "sdy.")
        if room and other and room != other:
            needs[room].add(other)
    TopologicalSorter(needs).prepare()  # the error names the circle


def _drawn_room(module: str) -> str:
    """Where a module stands in the picture of docs/architecture.md; nothing for one of the public names."""
    is_room = MODULES[module].name == "__init__.py"
    parts = module.split(".")[1 : None if is_room else -1]
    is_deep = parts[:1] == ["passes"] or parts[:2] == ["dialect", "values"]
    return "/".join(parts[: 2 if is_deep else 1])


def _picture() -> str:
    """Floor by floor, which room knows which, without what it knows through another."""
    knows = {_drawn_room(module): set[str]() for module in MODULES if _drawn_room(module)}
    for module, name in _imports():
        room, other = _drawn_room(module), _drawn_room(name)
        if room and other and room != other:
            knows[room].add(other)
    sorter = TopologicalSorter(knows)
    sorter.prepare()
    lines: list[str] = []
    known_in_all = dict[str, set[str]]()
    while sorter.is_active():
        floor = sorted(sorter.get_ready())
        for room in floor:
            through = set[str]().union(*(known_in_all[other] for other in knows[room]))
            known_in_all[room] = knows[room] | through
            lines.append(f"{room} -> {', '.join(sorted(knows[room] - through))}" if knows[room] else room)
        lines.append("")
        sorter.done(*floor)
    return "\n".join(lines)


def test_the_picture_of_the_rooms_is_that_of_the_imports() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert f"```\n{_picture()}```" in page


def test_imports_stand_at_the_top() -> None:
    imports = (ast.Import, ast.ImportFrom)
    indented = [module for module in MODULES if any(isinstance(n, imports) and n.col_offset for n in _nodes(module))]
    inside = {
        module
        for module in indented
        for function in _nodes(module)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, imports)
    }
    assert inside == set(INSIDE)


def test_modules_run_as_programs_when_all_of_them_is_there() -> None:
    early = [
        module
        for module in MODULES
        for node in _tree(module).body[:-1]
        if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test)
    ]
    assert not early


STANDARD_DATACLASSES = {"sdy.passes.propagation.explain.propagation_trace": "`order`"}
"""Modules with dataclasses of the standard library, and what `sdy.lazy_dataclass` does not have."""


def test_dataclasses_are_compiled_when_called() -> None:
    named = {
        module
        for module in MODULES
        for node in _nodes(module)
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
        if any(alias.name == "dataclass" for alias in node.names)
    }
    whole = {module for module in MODULES if "@dataclasses.dataclass" in MODULES[module].read_text(encoding="utf-8")}
    assert named | whole == set(STANDARD_DATACLASSES)


def test_rooms_say_what_they_are_for() -> None:
    rooms = {path.parent for path in MODULES.values()}
    page = {room: (room / "README.md").exists() for room in rooms}
    docs = {room: ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) for room in rooms}
    assert not [room for room in rooms if not (page[room] or docs[room])]


def test_unit_tests_mirror_the_rooms() -> None:
    rooms = {module.rpartition(".")[0] for module in MODULES}
    folders = {path.parent.relative_to(UNIT).parts for path in UNIT.rglob("test_*.py")}
    assert {".".join(("sdy", *folder)) for folder in folders} <= rooms


def test_no_unit_test_stands_above_its_room() -> None:
    """One that takes from a single room of those in its own is a test of that room."""
    above: dict[str, str] = {}
    for path in UNIT.rglob("test_*.py"):
        own = ".".join(("sdy", *path.parent.relative_to(UNIT).parts))
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        taken = {name for node in nodes for name in _named(node) if name.startswith(f"{own}.")}
        rooms = {name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0] for name in taken}
        if own != "sdy" and len(rooms) == 1 and rooms != {own}:
            above[path.name] = rooms.pop()
    assert not above


def _code(module: str) -> list[str]:
    """The lines that may be written again: no imports, no strings that document, no comments, no decorators."""
    passed: set[int] = set()
    for node in _nodes(module):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.stmt) and (is_text or isinstance(node, ast.Import | ast.ImportFrom)):
            passed.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(MODULES[module].read_text(encoding="utf-8").split("\n"), 1)
    lines = [line.strip() for number, line in lines if number not in passed]
    return [line for line in lines if line[:1] not in ("#", "@") and any(map(str.isalnum, line))]


def test_six_lines_of_code_stand_once() -> None:
    code = {module: _code(module) for module in MODULES}
    counts = Counter(line for lines in code.values() for line in lines)
    places = defaultdict(list)
    for module, lines in code.items():
        again = 0
        for last, line in enumerate(lines, 1):
            again = again + 1 if counts[line] > 1 else 0
            if again >= 6:
                places[tuple(lines[last - 6 : last])].append(module)
    assert not {found[0]: text for text, found in places.items() if len(found) > 1}


# Ops ---------------------------------------------------------------------------------------------

OTHER_OPS = {
    "composite": {"stablehlo.constant", "stablehlo.iota"},  # sources in a decomposition: they bound nothing
    "custom_calls": {"stablehlo.rng_bit_generator"},  # what takes a state makes it one
    "scan": {"stablehlo.constant", "stablehlo.broadcast_in_dim"},  # what may stand in a body of elements
}
"""Files of `dialect/ops` that name ops of other files, and why."""


def test_an_op_has_one_file() -> None:
    places = defaultdict(set)
    for module in MODULES:
        room, _, file = module.rpartition(".")
        if room == "sdy.dialect.ops" and file != "model":
            for node in _nodes(module):
                if isinstance(node, ast.Constant) and re.fullmatch(r"(stablehlo|chlo)\.[\w-]+", str(node.value)):
                    places[node.value].add(file)
    several = {name: {file for file in files if name not in OTHER_OPS.get(file, ())} for name, files in places.items()}
    assert not {name: files for name, files in several.items() if len(files) > 1}
    stale = {file: names for file, names in OTHER_OPS.items() if not all(file in places[name] for name in names)}
    assert not stale


ROOMS_THAT_ASK_MODELS = ("costs", "auto", "op_axes", "partitioning.exchange", "partitioning.analysis")
"""Rooms of passes that ask the models of ops, and the table of ops, for what they have to know."""

NAMED_OPS = {
    "auto.annotating": {"return"},  # whose operand is not a result of it
    "auto.search.op_profiles": {"reduce", "scatter"},  # what they add is read off their bodies
    "auto.search.program_graph": {"bitcast_convert"},  # elementwise or not, depending on types
    "auto.search.reshard_prices": {"dynamic_update_slice", "select_and_scatter"},  # exchanged, with other rewritings
    "costs.op_cost": {
        *("broadcast_in_dim", "dynamic_slice", "dynamic_update_slice", "reduce", "reshape"),  # fused
        *("all_gather", "all_to_all", "reduce_scatter", "transpose"),  # laid out for one another
    },
    "partitioning.analysis.memory_budget": {"dynamic_update_slice", "optimization_barrier", "reshape"},  # aliases
    "partitioning.analysis.neighbours": {  # local along dimensions
        *("bitcast_convert", "dynamic_update_slice", "pad", "reshape", "slice")
    },
    "partitioning.analysis.programs": {
        "async_start",  # what it holds is not for one device
        *("add", "optimization_barrier", "return", "scatter"),  # where the sign of a zero matters
    },
    "partitioning.exchange.factor_resolution": {
        *("concatenate", "dynamic_slice", "reshape", "reverse"),
        *("rng_bit_generator", "scatter", "select_and_scatter", "slice"),
    },  # the table of rewritings
    "partitioning.exchange.gathering": {"concatenate", "dynamic_update_slice", "pad", "slice"},  # parts of factors
    "partitioning.exchange.pads_and_slices": {"pad"},  # rewrites them
    "partitioning.exchange.resharded_operands": {"add", "slice"},  # looked for in bodies; rewrites it
    "partitioning.exchange.scatter_windows": {"compare"},  # looked for in bodies
    "partitioning.exchange.window_costs": {"convolution"},  # of grouped features
}
"""Ops that modules of these rooms name, and why."""


def test_rooms_ask_the_models_of_ops() -> None:
    named = defaultdict(set)
    for module in MODULES:
        name = module.removeprefix(PASSES)
        if module.startswith(PASSES) and name.startswith(ROOMS_THAT_ASK_MODELS):
            texts = (str(node.value) for node in _nodes(module) if isinstance(node, ast.Constant))
            named[name] |= {text.partition(".")[2] for text in texts if re.fullmatch(r"(stablehlo|chlo)\.[\w-]+", text)}
    assert {module: names for module, names in named.items() if names} == NAMED_OPS


def test_files_of_ops_are_listed() -> None:
    names = defaultdict(set)
    for (name, _), model in built_in_models().items():
        names[type(model).__module__.rpartition(".")[2]].add(name)
    assert names.keys() == FAMILIES.keys()
    assert {file: set(listed) for file, listed in FAMILIES.items() if listed} == {
        file: found for file, found in names.items() if FAMILIES[file]
    }


def test_models_of_an_op_are_in_its_file() -> None:
    files = defaultdict(set)
    for (name, target), model in built_in_models().items():
        if target is None:
            files[name].add(type(model).__module__)
    assert len(files) > 120
    assert not {name for name, modules in files.items() if len(modules) > 1}


def test_where_it_is() -> None:
    """The page answers each question with at most two files, which define what it names."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## Where is it?")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.*?) *\| `(.+?)` \| `(\w+)` \|$", table, re.MULTILINE)
    assert sum(bool(question) for question, *_ in rows) == 5
    assert not re.search(r"^\| \|.*\n\| \|", table, re.MULTILINE), "three files for one question"
    for _, file, name in rows:
        assert re.search(rf"^(def|class) {name}\b", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), file
