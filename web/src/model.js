// What the views ask: the data of the page with what follows from them, found once.

/** A node of the tree with what was found of it. */
class Node {
  constructor(data, parent, id) {
    this.id = id;
    this.kind = data.k;
    this.label = data.l;
    this.full = data.full ?? data.l;
    this.phase = data.phase ?? "";
    this.op = data.op ?? -1;
    this.parent = parent;
    this.level = parent ? parent.level + 1 : 1;
    this.children = [];
    this.ops = 0;
    this.sums = [];
  }
}

export class Program {
  constructor(data) {
    this.data = data;
    this.nodes = [];
    this.nodeOfOp = new Map();
    this.roots = data.tree.map((root) => this.#node(root, null));
    const count = data.ops.name.length;
    this.results = Array.from({ length: count }, () => []);
    this.inputs = Array.from({ length: count }, () => []);
    this.outputs = Array.from({ length: count }, () => []);
    const { op, kind } = data.values;
    for (let value = 0; value < op.length; value++) [this.results, this.inputs, this.outputs][kind[value]][op[value]].push(value);
    this.lines = null;
    this.callee = new Map(data.calls);
    this.callers = new Map();
    for (const [, called] of data.calls) this.callers.set(called, (this.callers.get(called) ?? 0) + 1);
  }

  #node(data, parent) {
    const node = new Node(data, parent, this.nodes.length);
    this.nodes.push(node);
    if (node.op >= 0) this.nodeOfOp.set(node.op, node);
    for (const child of data.c ?? []) node.children.push(this.#node(child, node));
    node.ops = node.children.reduce((sum, child) => sum + child.ops, node.kind === "op" ? 1 : 0);
    return node;
  }

  opName(op) {
    return this.data.op_names[this.data.ops.name[op]];
  }

  /** What a row of the tree calls an op: what the frontend does, or else its name. */
  opLabel(op) {
    const location = this.location(op);
    const name = location.slice(location.lastIndexOf("/") + 1);
    return name && location.includes("/") ? name : this.opName(op).replace(/^stablehlo\./, "");
  }

  location(op) {
    return this.data.locations[this.data.ops.location[op]];
  }

  source(op) {
    const number = this.data.ops.source[op];
    return number < 0 ? null : this.data.sources[number];
  }

  /** Whether each op has a text in it, by number: in its name, its location, or the name of a value of it. */
  having(wanted) {
    const { op_names, locations: places, ops: { name, location }, values: { name: printed, called: given } } = this.data;
    this.lower ??= [op_names, places, printed, given].map((texts) => texts.map((text) => text.toLowerCase()));
    const [names, locations, values, called] = this.lower.map((texts) => Uint8Array.from(texts, (text) => text.includes(wanted)));
    const found = Uint8Array.from(name, (each, op) => names[each] | locations[location[op]]);
    this.data.values.op.forEach((op, value) => { found[op] |= values[value] | called[value]; });
    return found;
  }

  valueName(value) {
    const { called, name, op } = this.data.values;
    if (called[value]) return called[value];
    return /%\d/.test(name[value]) && this.results[op[value]].includes(value) ? `${this.opLabel(op[value])} ${name[value]}` : name[value];
  }

  isConstant(op) {
    return this.opName(op).endsWith(".constant") || this.opName(op) === "func.return" || this.opName(op) === "stablehlo.return";
  }

  /** The node that shows an op, or the op around it that is shown. */
  shown(op) {
    while (op >= 0 && !this.nodeOfOp.has(op)) op = this.data.ops.parent[op];
    return op < 0 ? null : this.nodeOfOp.get(op);
  }

  /** Labels of everything around an op in its function, loops and other ops with regions among them. */
  way(op) {
    const parts = [];
    for (let node = this.shown(op)?.parent; node?.parent; node = node.parent) {
      if (node.kind === "op" || (node.kind === "scope" && !/^\d+ of \d+$/.test(node.label))) {
        const label = node.kind === "op" ? this.opLabel(node.op) : node.label;
        parts.unshift(node.phase ? `${label} ${node.phase}` : label);
      }
    }
    return parts;
  }

  /** Labels of the scopes around an op, without folds. */
  path(op) {
    const parts = [];
    for (let node = this.shown(op)?.parent; node; node = node.parent) {
      if (node.kind === "scope" && !/^\d+ of \d+$/.test(node.label)) parts.unshift(node.phase ? `${node.label} ${node.phase}` : node.label);
    }
    return parts;
  }
}

export class Plan {
  constructor(data, programs, number) {
    this.number = number;
    this.data = data;
    this.program = programs[data.program];
    this.collectives = data.collectives;
    this.ofOp = new Map();
    this.collectives.forEach((one, index) => {
      if (!this.ofOp.has(one.op)) this.ofOp.set(one.op, []);
      this.ofOp.get(one.op).push(index);
    });
    this.program.roots.forEach((root) => this.#sum(root));
    const main = this.program.roots[0];
    if (main) main.sums[number] = { count: data.ops, bytes: data.bytes_sent };
    this.places = this.collectives.map((one) => (one.op < 0 ? [] : this.program.path(one.op)));
    this.times = null;
  }

  #sum(node) {
    const sum = { count: 0, bytes: 0 };
    for (const child of node.children) {
      const inner = this.#sum(child);
      sum.count += inner.count;
      sum.bytes += inner.bytes;
    }
    if (node.op >= 0) {
      const own = node.children.length ? this.ofOp.get(node.op) ?? [] : this.#below(node.op);
      for (const index of own) {
        const one = this.collectives[index];
        sum.count += one.times ?? 1;
        sum.bytes += one.bytes_sent;
      }
      const called = this.program.callee.get(node.op);
      if (called !== undefined) {
        // What a function sends is divided among its calls.
        const inner = this.#sum(this.program.nodeOfOp.get(called));
        sum.count += inner.count / this.program.callers.get(called);
        sum.bytes += inner.bytes / this.program.callers.get(called);
      }
    }
    node.sums[this.number] = sum;
    return sum;
  }

  /** The collectives of an op and of ops in it that are not shown. */
  #below(op) {
    if (!this.below) {
      this.below = new Map();
      for (const [from, indices] of this.ofOp) {
        const node = this.program.shown(from);
        const at = node ? node.op : -1;
        this.below.set(at, [...(this.below.get(at) ?? []), ...indices]);
      }
    }
    return this.below.get(op) ?? [];
  }

  collectivesOf(op) {
    this.#below(op);
    return this.below.get(op) ?? [];
  }

  label(value) {
    return this.data.labels[this.data.values.label[value]] ?? null;
  }

  /** The sharding that is written at a value, if one is. */
  written(value) {
    return this.data.written[this.data.values.written[value]] ?? null;
  }

  localBytes(value) {
    return this.data.values.local_bytes[value];
  }

  lines() {
    this.textLines ??= (this.data.text ?? this.program.data.text).split("\n");
    return this.textLines;
  }

  /** Where each axis of a value came from. */
  came(value) {
    const reasons = this.data.reasons;
    if (!reasons) return [];
    this.cameOf ??= byValue(reasons.came.value);
    const text = (number) => (number < 0 ? "" : reasons.texts[number]);
    return (this.cameOf.get(value) ?? []).map((row) => ({
      axis: text(reasons.came.axis[row]),
      dim: reasons.came.dim[row],
      kind: text(reasons.came.kind[row]),
      origin: text(reasons.came.origin[row]),
      hops: reasons.came.hops[row],
      last: text(reasons.came.last[row]),
      before: reasons.came.before[row],
    }));
  }

  /** Where the axes come from over which a collective sends; of all axes, if none of those is on a tensor around it. */
  around(index) {
    const wanted = new Set((this.collectives[index].axes ?? []).map((axis) => axis.split(":(")[0]));
    const rows = (this.data.causes[index]?.around ?? []).flatMap(([role, value]) => this.came(value).map((came) => ({ role, value, came })));
    const about = rows.filter((row) => wanted.has(row.came.axis.split(":(")[0]));
    return about.length ? about : rows;
  }

  /** What stopped, or did not come. */
  stops(value) {
    const reasons = this.data.reasons;
    if (!reasons) return [];
    this.stopsOf ??= byValue(reasons.stops.value);
    return (this.stopsOf.get(value) ?? []).map((row) => ({
      isStop: reasons.stops.is_stop[row] === 1,
      text: reasons.texts[reasons.stops.text[row]],
    }));
  }

  /** The chain of values that an axis came by, from a value back. */
  chain(value, axis) {
    const found = [];
    const seen = new Set();
    for (let at = value; at >= 0 && !seen.has(at); ) {
      seen.add(at);
      const came = this.came(at).find((each) => each.axis === axis || each.axis.startsWith(`${axis}:`));
      if (!came) break;
      found.push({ value: at, ...came });
      at = came.hops ? came.before : -1;
    }
    return found;
  }
}

function byValue(column) {
  const found = new Map();
  column.forEach((value, row) => {
    if (!found.has(value)) found.set(value, []);
    found.get(value).push(row);
  });
  return found;
}

export class Model {
  constructor(data) {
    this.data = data;
    this.colours = new Map(data.axes.map((axis) => [axis.name, axis.colour]));
    this.programs = data.programs.map((each) => new Program(each));
    this.plans = data.plans.map((each, number) => new Plan(each, this.programs, number));
  }

  /** The class of the colour of an axis, or of a part of it. */
  colour(axis) {
    return `a${this.colours.get(axis?.split(":(")[0]) ?? 0}`;
  }
}

/** Collectives in equal places of equal layers as one: their indices. */
export function foldEqual(plan) {
  const groups = new Map();
  plan.collectives.forEach((one, index) => {
    const place = plan.places[index].join("/").replace(/\d+/g, "#");
    const key = [one.kind, one.axes?.join(), one.operand_bytes, one.times, one.serves, one.reshard, place].join("|");
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(index);
  });
  return [...groups.values()];
}

/** The rows of what is in memory at a time, in microseconds, the largest first. */
export function liveAt(live, time) {
  const rows = [...live.bytes.keys()].filter((row) => live.from[row] <= time && time < live.to[row]);
  return rows.sort((a, b) => live.bytes[b] - live.bytes[a]);
}
