// A scope as a graph: its ops and the scopes in it, with arrows from what makes a value to what uses it.

import dagre from "@dagrejs/dagre";
import { signal } from "@preact/signals";
import { html } from "htm/preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { bytes, count } from "../format.js";
import { plan, planNumber, program, selectOp, selection } from "../state.js";

const MOST = 250;
const MOST_AROUND = 60;
const HEIGHT = 40;
const LETTER = 6.7;

/** The node whose children are drawn; null is the scope of what is selected. */
const chosen = signal(null);

/** Chooses a scope for the graph. */
export function drawScope(node) {
  chosen.value = node;
}

/** The scope of an op, or the first function. */
function scopeOf(op) {
  const node = op < 0 ? null : program.value.shown(op);
  return node?.parent ?? program.value.roots[0] ?? null;
}

/** The child of a node that an op is in; null outside. */
function childOf(node, op) {
  let at = program.value.shown(op);
  while (at && at.parent !== node) at = at.parent;
  return at;
}

/** The op that makes a value; -1 for arguments of functions. */
function makerOf(value) {
  const { op } = program.value.data.values;
  return program.value.results[op[value]].includes(value) ? op[value] : -1;
}

/** Pairs of children of a node, of which the second uses what the first makes. */
export function edges(node) {
  const p = program.value;
  const found = new Map();
  p.data.ops.operands.forEach((operands, op) => {
    const user = childOf(node, op);
    if (!user) return;
    for (const value of operands) {
      const maker = makerOf(value);
      const from = maker < 0 ? null : childOf(node, maker);
      if (from && from !== user) found.set(`${from.id} ${user.id}`, [from, user]);
    }
  });
  return [...found.values()];
}

function texts(node) {
  const p = program.value;
  if (node.kind !== "op") return [`${node.label}${node.phase ? ` ${node.phase}` : ""}`, `${count(node.ops)} ops`];
  const value = p.results[node.op][0];
  const label = value === undefined ? null : plan.value.label(value);
  return [p.opLabel(node.op), label?.text ?? ""];
}

/** The children nearest to one of them, along arrows in both directions. */
export function around(first, pairs) {
  const next = new Map();
  for (const [from, to] of pairs) {
    for (const [one, other] of [[from, to], [to, from]]) next.set(one, [...(next.get(one) ?? []), other]);
  }
  const found = new Set([first]);
  for (const node of found) {
    for (const other of next.get(node) ?? []) if (found.size < MOST_AROUND) found.add(other);
  }
  return found;
}

/** Places of boxes and arrows; of a large scope only what is near the selected op. */
function laidOut(node, near) {
  const pairs = edges(node);
  const drawn = near ? around(near, pairs) : new Set(node.children);
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 34, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  const shown = node.children.filter((each) => drawn.has(each) && (each === near || each.op < 0 || each.children.length || !program.value.isConstant(each.op)));
  for (const each of shown) {
    const lines = texts(each);
    graph.setNode(String(each.id), { node: each, lines, height: HEIGHT, width: 24 + LETTER * Math.max(...lines.map((line) => line.length)) });
  }
  for (const [from, to] of pairs) {
    if (graph.hasNode(String(from.id)) && graph.hasNode(String(to.id))) graph.setEdge(String(from.id), String(to.id));
  }
  dagre.layout(graph);
  return graph;
}

function Box({ place }) {
  const { node, lines, x, y, width, height } = place;
  const sum = node.sums[planNumber.value];
  const isOp = node.kind === "op";
  const act = () => (isOp && !node.children.length ? selectOp(node.op) : drawScope(node));
  const isChosen = isOp && node.op === selection.value.op;
  const sends = sum?.count ? `, sends ${bytes(sum.bytes)}` : "";
  return html`<g class=${`box ${isOp ? "" : "scope"} ${sum?.count ? "sends" : ""} ${isChosen ? "chosen" : ""}`} role="button" tabindex="0" aria-label=${`${lines.join(", ")}${sends}`}
    transform=${`translate(${x - width / 2} ${y - height / 2})`} onClick=${act} onKeyDown=${(event) => { if (event.key === "Enter") act(); }}>
    <title>${isOp ? program.value.location(node.op) : node.full}${sends}</title>
    <rect width=${width} height=${height} rx="5" />
    <text x=${width / 2} y="16">${lines[0]}</text><text class="small" x=${width / 2} y="32">${lines[1]}</text>
  </g>`;
}

const PATH = (points) => `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`;

export function GraphView() {
  const own = chosen.value && program.value.nodes[chosen.value.id] === chosen.value ? chosen.value : scopeOf(selection.value.op);
  const path = [];
  for (let at = own; at; at = at.parent) path.unshift(at);
  const isLarge = own && own.children.length > MOST;
  const near = isLarge && selection.value.op >= 0 ? childOf(own, selection.value.op) : null;
  const graph = useMemo(() => (own && (!isLarge || near) ? laidOut(own, near) : null), [own, near, plan.value]);
  const size = graph?.graph() ?? { width: 0, height: 0 };
  const box = useRef(null);
  useEffect(() => { box.current?.querySelector(".chosen")?.scrollIntoView({ block: "center", inline: "center" }); }, [graph, selection.value.op]);
  return html`<div class="graph">
    <div class="tools"><nav aria-label="Scopes">${path.map((node, place) => html`${place > 0 && " / "}<button class="link" onClick=${() => drawScope(node)}>${node.label}${node.phase ? ` ${node.phase}` : ""}</button>`)}</nav>
      <span class="quiet" role="status">${own ? `${count(own.children.length)} ops and scopes` : ""}</span></div>
    ${isLarge && html`<p class="line quiet">${near ? `The ${MOST_AROUND} boxes around the selected op are drawn.` : `More than ${MOST} boxes are not drawn: choose one of its scopes, or select an op.`}</p>`}
    ${isLarge && !near && html`<ul class="scopes">${own.children.filter((node) => node.children.length).map((node) => html`<li key=${node.id}><button class="link" onClick=${() => drawScope(node)}>${node.label} ${node.phase}</button> <span class="quiet">${count(node.ops)}</span></li>`)}</ul>`}
    ${graph && html`<div class="scrolls" tabindex="0" ref=${box}><svg width=${size.width} height=${size.height} role="group" aria-label="Graph of the scope">
      <defs><marker id="arrow" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z" /></marker></defs>
      ${graph.edges().map((edge) => html`<path class="edge" key=${`${edge.v} ${edge.w}`} d=${PATH(graph.edge(edge).points)} marker-end="url(#arrow)" />`)}
      ${graph.nodes().map((name) => html`<${Box} key=${name} place=${graph.node(name)} />`)}
    </svg></div>`}
  </div>`;
}
