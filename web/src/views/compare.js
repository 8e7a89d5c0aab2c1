// Two plans beside one another.

import { batch } from "@preact/signals";
import { html } from "htm/preact";
import { bytes, count, seconds, signed } from "../format.js";
import { Axes, Bar, KIND } from "../parts.js";
import { model, planNumber, selectOp, view } from "../state.js";
import { names } from "./overview.js";

function Row({ name, a, b, most, write }) {
  const exact = (b ?? 0) - (a ?? 0);
  const difference = Math.abs(exact) > 1e-9 * Math.max(a ?? 0, b ?? 0) ? exact : 0; // what is less is rounding
  const mark = difference < 0 ? "better" : difference > 0 ? "worse" : "quiet";
  const part = a ? ` (${signed(Math.round((100 * difference) / a), (n) => `${n} %`)})` : "";
  return html`<tr><td>${name}</td>
    <td class="pair"><div><${Bar} part=${(a ?? 0) / most} colour="plan-a" /><span>${a === null ? "–" : write(a)}</span></div>
      <div><${Bar} part=${(b ?? 0) / most} colour="plan-b" /><span>${b === null ? "–" : write(b)}</span></div></td>
    <td class=${`number ${mark}`}>${a === null || b === null ? "" : `${signed(difference, write)}${difference ? part : ""}`}</td></tr>`;
}

function Table({ title, rows }) {
  if (!rows.length) return null;
  return html`<section><h2>${title}</h2><table class="plain compare"><tbody>${rows.map((row) => html`<${Row} ...${row} />`)}</tbody></table></section>`;
}

function sums(a, b) {
  const rows = [
    ["bytes sent per device", (plan) => plan.data.bytes_sent, bytes],
    ["collectives", (plan) => plan.data.ops, count],
    ["estimated step", (plan) => plan.data.schedule?.step ?? null, seconds],
    ["waiting for communication", (plan) => plan.data.schedule?.exposed ?? null, seconds],
    ["peak of memory", (plan) => plan.data.schedule?.peak ?? null, bytes],
  ];
  return rows.map(([name, get, write]) => ({ name, a: get(a), b: get(b), write, most: Math.max(get(a) ?? 0, get(b) ?? 0) || 1 })).filter((row) => row.a !== null || row.b !== null);
}

function joined(a, b) {
  const keys = [...new Set([...a.keys(), ...b.keys()])];
  const most = Math.max(...a.values(), ...b.values(), 1);
  return keys.map((key) => ({ key, a: a.get(key) ?? 0, b: b.get(key) ?? 0, most, write: bytes })).sort((x, y) => Math.max(y.a, y.b) - Math.max(x.a, x.b));
}

function byKind(plan) {
  return new Map(plan.data.totals.map((one) => [`${one.kind}|${one.axes}`, one.bytes_sent]));
}

/** By the first two scopes, with the numbers of layers left out. */
function byPlace(plan) {
  const found = new Map();
  plan.collectives.forEach((one, index) => {
    const place = plan.places[index].slice(0, 2).join(" / ").replace(/\d+/g, "#") || "elsewhere";
    found.set(place, (found.get(place) ?? 0) + one.bytes_sent);
  });
  return found;
}

function Otherwise({ a, b }) {
  const groups = new Map();
  const { op } = a.program.data.values;
  op.forEach((_, value) => {
    const [left, right] = [a.label(value), b.label(value)];
    if (!left || !right || left.text === right.text) return;
    const key = `${left.text}|${right.text}`;
    if (!groups.has(key)) groups.set(key, { left, right, values: [] });
    groups.get(key).values.push(value);
  });
  const rows = [...groups.values()].sort((x, y) => y.values.length - x.values.length);
  const show = (value) => batch(() => {
    view.value = "program";
    selectOp(op[value], value);
  });
  return html`<section><h2>Values sharded otherwise <small>${count(rows.reduce((sum, row) => sum + row.values.length, 0))}</small></h2>
    ${rows.length === 0 && html`<p class="quiet">none</p>`}
    <table class="plain"><thead><tr><th class="number">values</th><th>${a.data.name}</th><th>${b.data.name}</th><th>first</th></tr></thead>
    <tbody>${rows.slice(0, 100).map((row) => html`<tr><td class="number">${count(row.values.length)}</td>
      <td dangerouslySetInnerHTML=${{ __html: row.left.html }} /><td dangerouslySetInnerHTML=${{ __html: row.right.html }} />
      <td><button class="link mono" onClick=${() => show(row.values[0])}>${a.program.valueName(row.values[0])}</button></td></tr>`)}</tbody></table>
    ${rows.length > 100 && html`<p class="quiet">${rows.length - 100} more</p>`}</section>`;
}

export function CompareView() {
  const [a, b] = model.value.plans;
  if (!b) return html`<div class="scrolls pad"><h2>One plan</h2><p>Two are compared: <code>sdy-report a.mlir b.mlir -o report.html</code>.</p></div>`;
  const kinds = joined(byKind(a), byKind(b)).map((row) => {
    const [kind, axes] = row.key.split("|");
    return { ...row, name: html`${KIND(kind)} <${Axes} axes=${names(axes)} />` };
  });
  const places = joined(byPlace(a), byPlace(b)).map((row) => ({ ...row, name: row.key }));
  const isSame = a.program === b.program;
  return html`<div class="scrolls pad">
    <p class="legend"><i class="plan-a" />${a.data.name} <i class="plan-b" />${b.data.name} <button onClick=${() => { planNumber.value = 1 - planNumber.value; }}>look at ${planNumber.value ? a.data.name : b.data.name}</button></p>
    <div class="columns inset"><${Table} title="Together" rows=${sums(a, b)} />
    <${Table} title="By kind and axes" rows=${kinds} /><${Table} title="By place" rows=${places} /></div>
    ${isSame ? html`<${Otherwise} a=${a} b=${b} />` : html`<p class="quiet">The programs are not the same: their values are not compared.</p>`}
  </div>`;
}
