// The program as a tree by the scopes of its ops, with the sharding of each value.

import { computed, signal } from "@preact/signals";
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { bytes, count } from "../format.js";
import { CollectiveChip, Label, Sum } from "../parts.js";
import { asWritten, plan, program, selectOp, selection } from "../state.js";
import { rowSize, useVirtual } from "../virtual.js";

const open = signal(new Set());
const hideConstants = signal(true);
const find = signal("");
const active = signal(-1);

/** Opens the tree down to a node. */
export function reveal(node) {
  const next = new Set(open.value);
  for (let at = node.parent; at; at = at.parent) next.add(at);
  if (node.children.length) next.add(node);
  open.value = next;
}

export function openRoots() {
  open.value = new Set(program.value.roots.slice(0, 1));
}

const rows = computed(() => {
  const wanted = find.value.trim().toLowerCase();
  const found = [];
  const hidden = (node) => node.kind === "op" && hideConstants.value && !node.children.length && program.value.isConstant(node.op);
  const walk = (node) => {
    if (hidden(node)) return;
    found.push(node);
    if (open.value.has(node)) node.children.forEach(walk);
  };
  if (!wanted) {
    program.value.roots.forEach(walk);
    return found;
  }
  const having = program.value.having(wanted);
  const isWanted = (node) => (node.op < 0 || node.kind === "func") && node.label.toLowerCase().includes(wanted);
  return program.value.nodes.filter((node) => (having[node.op] || isWanted(node)) && !hidden(node));
});

function toggle(node) {
  const next = new Set(open.value);
  if (!next.delete(node)) next.add(node);
  open.value = next;
}

function onKey(event, move) {
  const list = rows.value;
  const at = active.value;
  const node = list[at];
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -list.length, End: list.length };
  if (event.key in steps) move(Math.max(0, Math.min(list.length - 1, (at < 0 && steps[event.key] > 0 ? -1 : at) + steps[event.key])));
  else if (event.key === "ArrowRight" && node?.children.length) open.value.has(node) ? move(at + 1) : toggle(node);
  else if (event.key === "ArrowLeft" && node) {
    if (open.value.has(node) && node.children.length) toggle(node);
    else if (node.parent) move(list.indexOf(node.parent));
  } else if (event.key === "Enter" && node) node.op >= 0 ? selectOp(node.op) : toggle(node);
  else if (event.key === "*" && node) {
    const next = new Set(open.value);
    (node.parent?.children ?? program.value.roots).forEach((each) => each.children.length && next.add(each));
    open.value = next;
  } else return;
  event.preventDefault();
}

export function ProgramView() {
  const box = useRef(null);
  const list = rows.value;
  const virtual = useVirtual({ count: list.length, element: () => box.current, size: rowSize.value });
  const chosen = selection.value.op >= 0 ? program.value.shown(selection.value.op) : null;
  const move = (index) => {
    active.value = index;
    if (index >= 0) virtual.scrollToIndex(index, { align: "auto" });
  };
  useLayoutEffect(() => {
    if (!chosen) return;
    if (chosen.parent && !open.value.has(chosen.parent)) reveal(chosen);
  }, [chosen]);
  useEffect(() => {
    const index = chosen ? rows.value.indexOf(chosen) : -1;
    if (index >= 0) move(index);
  }, [chosen, list.length]);
  return html`<div class="program">
    <div class="tools">
      <label>Find <input type="search" id="find" value=${find.value} onInput=${(event) => { find.value = event.target.value; active.value = -1; }} placeholder="op, value or scope ( / )" /></label>
      <label><input type="checkbox" checked=${hideConstants.value} onChange=${(event) => { hideConstants.value = event.target.checked; }} /> hide constants</label>
      <label title="Shardings as the program says them, before propagation"><input type="checkbox" checked=${asWritten.value} onChange=${(event) => { asWritten.value = event.target.checked; }} /> as written</label>
      <span class="quiet" role="status">${count(list.length)} rows</span>
      <button onClick=${() => { openRoots(); find.value = ""; }}>Fold all</button>
      <button onClick=${() => { open.value = new Set(program.value.nodes.filter((node) => node.children.length)); }}>Open all</button>
    </div>
    <div class="heads" aria-hidden="true"><span>op</span><span>${asWritten.value ? "result: sharding as written" : "result: size ÷ shards, axes"}</span><span class="number">local</span><span>collectives</span></div>
    <div class="rows scrolls" ref=${box} role="treegrid" aria-label="Program" tabindex="0" aria-rowcount=${list.length}
      aria-activedescendant=${active.value >= 0 ? `row-${active.value}` : null}
      onFocus=${() => active.value < 0 && list.length && move(0)} onKeyDown=${(event) => onKey(event, move)}>
      ${list.length === 0 && html`<p class="line quiet">No op, value or scope has “${find.value.trim()}” in its name.</p>`}
      <div style=${{ height: `${virtual.getTotalSize()}px` }} class="space">
        ${virtual.getVirtualItems().map((item) => html`<${Row} key=${list[item.index]?.id} node=${list[item.index]} index=${item.index} top=${item.start} chosen=${chosen} />`)}
      </div>
    </div>
  </div>`;
}

function Row({ node, index, top, chosen }) {
  if (!node) return null;
  const isParent = node.children.length > 0;
  const isOpen = open.value.has(node) && !find.value;
  const click = () => {
    active.value = index;
    if (node.op >= 0 && node.kind !== "func") selectOp(node.op);
    else if (isParent) toggle(node);
  };
  return html`<div role="row" id=${`row-${index}`} aria-level=${node.level} aria-rowindex=${index + 1}
    aria-expanded=${isParent ? String(isOpen) : null} aria-selected=${String(node === chosen)}
    class=${`row ${node === chosen ? "chosen" : ""} ${active.value === index ? "active" : ""}`} style=${{ transform: `translateY(${top}px)` }} onClick=${click}>
    <span role="gridcell" class="name" style=${{ paddingLeft: `${(find.value ? 0 : node.level - 1) * 1.1}rem` }}>
      <button class="twist" tabindex="-1" aria-hidden="true" onClick=${(event) => { event.stopPropagation(); if (isParent) toggle(node); }}>${isParent ? (isOpen ? "▾" : "▸") : ""}</button>
      <${Name} node=${node} />
    </span>
    <${Cells} node=${node} isOpen=${isOpen} />
  </div>`;
}

function Name({ node }) {
  const p = program.value;
  if (node.kind === "op") {
    const first = p.results[node.op][0];
    const name = first === undefined ? "" : p.data.values.name[first];
    return html`<span title=${`${name} ${p.location(node.op)}`}>${p.opLabel(node.op)}</span>${/%\d/.test(name) ? "" : html` <span class="mono quiet">${name}</span>`}
      ${node.phase && html` <span class="mark">${node.phase}</span>`}
      ${find.value && html` <span class="quiet">${p.way(node.op).join(" / ")}</span>`}`;
  }
  return html`<strong title=${node.full}>${node.label}</strong>
    ${node.phase && html` <span class="mark">${node.phase}</span>`}
    ${node.kind === "fold" && html` <span class="mark fold">${node.children.length} equal</span>`}
    ${node.kind === "repeat" && html` <span class="mark fold">${node.children.length} alike</span>`}
    <span class="quiet"> ${count(node.ops)}</span>`;
}

function Cells({ node, isOpen }) {
  const p = program.value;
  if (node.kind !== "op" || (node.children.length && isOpen)) return html`<span role="gridcell" class="value" /><span role="gridcell" class="number" /><span role="gridcell" class="sends"><${Sum} node=${node} /></span>`;
  const values = p.results[node.op];
  const local = values.reduce((sum, value) => sum + Math.max(0, plan.value.localBytes(value)), 0);
  const collectives = plan.value.collectivesOf(node.op);
  return html`<span role="gridcell" class="value">${values.length > 0 && html`<${Label} value=${values[0]} />`}${values.length > 1 && html`<span class="quiet"> and ${values.length - 1} more</span>`}</span>
    <span role="gridcell" class="number">${values.length ? bytes(local) : ""}</span>
    <span role="gridcell" class="sends">${node.children.length ? html`<${Sum} node=${node} />` : collectives.slice(0, 3).map((index) => html`<${CollectiveChip} key=${index} index=${index} />`)}
      ${!node.children.length && collectives.length > 3 && html`<span class="quiet"> and ${collectives.length - 3} more</span>`}</span>`;
}
