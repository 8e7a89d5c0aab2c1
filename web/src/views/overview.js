// What a step comes down to: bytes, time, memory, and where they come from.

import { batch } from "@preact/signals";
import { html } from "htm/preact";
import { bytes, count, seconds } from "../format.js";
import { Axes, Bar, KIND, Sum } from "../parts.js";
import { filters, model, plan, planNumber, program, selectOp, view } from "../state.js";
import { reveal } from "./program.js";

function Card({ title, value, children }) {
  return html`<section class="card"><h3>${title}</h3><p class="figure">${value}</p><p class="quiet">${children}</p></section>`;
}

function Cards() {
  const { bytes_sent, ops, is_exact, schedule, free_reshards } = plan.value.data;
  return html`<div class="cards">
    <${Card} title="bytes sent per device" value=${bytes(bytes_sent)}>${is_exact ? "exact" : "a bound: see the notes"}<//>
    <${Card} title="collectives" value=${count(ops)}>${free_reshards.length ? `${free_reshards.length} reshards are free` : "in one run"}<//>
    ${schedule && html`<${Card} title="estimated step" value=${seconds(schedule.step)}>
      ${schedule.bound ? `bound by ${schedule.bound}` : ""}<//>
    <${Card} title="peak of memory" value=${bytes(schedule.peak)}>
      ${bytes(schedule.arguments)} arguments${schedule.limit ? `; a device has ${bytes(schedule.limit)}` : ""}
      ${schedule.limit && schedule.peak > schedule.limit ? html` <strong class="worse">does not fit</strong>` : ""}<//>`}
  </div>`;
}

function Step() {
  const { schedule } = plan.value.data;
  if (!schedule || !schedule.step) return null;
  const parts = [
    ["products of matrices", schedule.products, "compute"],
    ["memory traffic", schedule.traffic, "traffic"],
    ["starts of kernels", schedule.starts, "starts"],
    ["waiting for communication", schedule.exposed, "exposed"],
  ];
  return html`<section><h2>One step <small title=${schedule.machine}>on ${schedule.machine_name}</small></h2>
    <div class="stack" role="img" aria-label=${parts.map(([name, time]) => `${name} ${seconds(time)}`).join(", ")}>
      ${parts.map(([, time, name]) => html`<span class=${name} style=${{ width: `${(100 * time) / schedule.step}%` }} />`)}
    </div>
    <ul class="legend">${parts.map(([name, time, mark]) => html`<li><i class=${mark} />${name} ${seconds(time)} (${Math.round((100 * time) / schedule.step)} %)</li>`)}</ul>
    <p class="quiet">Communication takes ${seconds(schedule.communication)}, of which a device waits ${seconds(schedule.exposed)}.</p>
  </section>`;
}

function Meshes() {
  return html`<section><h2>Mesh</h2>${model.value.data.meshes.map((mesh) => html`<figure>
    <figcaption>${mesh.name}: ${mesh.axes.map((axis) => html`<b class=${`a${axis.colour}`}>${axis.name}</b> ${axis.size} `)} · ${count(mesh.devices)} devices</figcaption>
    ${mesh.drawing ? html`<div dangerouslySetInnerHTML=${{ __html: mesh.drawing }} />` : html`<p class="quiet">too many devices to draw</p>`}
  </figure>`)}</section>`;
}

function ByKind() {
  const totals = [...plan.value.data.totals].sort((a, b) => b.bytes_sent - a.bytes_sent);
  const most = totals[0]?.bytes_sent || 1;
  const show = (one) => batch(() => {
    filters.value = { kind: one.kind, axes: names(one.axes)?.join(" ") ?? "irregular", place: "" };
    view.value = "collectives";
  });
  return html`<section><h2>By kind and axes</h2>
    ${totals.length === 0 && html`<p class="quiet">no communication</p>`}
    <table class="plain"><tbody>${totals.map((one) => html`<tr>
      <td><button class="link" onClick=${() => show(one)}>${KIND(one.kind)} <${Axes} axes=${names(one.axes)} /></button></td>
      <td class="number">${count(one.ops)}×</td>
      <td class="wide"><${Bar} part=${one.bytes_sent / most} axes=${names(one.axes)} /></td>
      <td class="number">${bytes(one.bytes_sent)}</td></tr>`)}</tbody></table></section>`;
}

/** The axes of a total, which has them as one text. */
export function names(text) {
  if (text === "irregular") return null;
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"(:\(\d+\)\d+)?/g)].map(([, name, part]) => name + (part ?? ""));
}

function Where() {
  const roots = program.value.roots;
  const nodes = roots.flatMap((root) => root.children).filter((node) => (node.sums[planNumber.value]?.bytes ?? 0) > 0);
  nodes.sort((a, b) => b.sums[planNumber.value].bytes - a.sums[planNumber.value].bytes);
  const show = (node) => batch(() => {
    view.value = "program";
    const first = firstOp(node);
    reveal(node);
    if (first >= 0) selectOp(first);
  });
  return html`<section><h2>Where</h2><table class="plain"><tbody>${nodes.slice(0, 12).map((node) => html`<tr>
    <td><button class="link" onClick=${() => show(node)}>${node.kind === "op" ? program.value.opLabel(node.op) : node.label}</button>
      ${node.phase && html` <span class="mark">${node.phase}</span>`}
      ${node.kind === "fold" && html` <span class="mark fold">${node.children.length} equal</span>`}</td>
    <td class="wide"><${Sum} node=${node} /></td></tr>`)}</tbody></table>
    ${nodes.length > 12 && html`<p class="quiet">and ${nodes.length - 12} more</p>`}</section>`;
}

function firstOp(node) {
  while (node.children.length && node.op < 0) node = node.children.find((child) => (child.sums[planNumber.value]?.bytes ?? 0) > 0) ?? node.children[0];
  return node.op;
}

function Largest() {
  const { schedule } = plan.value.data;
  if (!schedule?.held.length) return null;
  return html`<section><h2>In memory at the peak <small>${schedule.where}</small></h2>
    <table class="plain"><tbody>${schedule.held.slice(0, 8).map(([name, kind, size]) => html`<tr><td class="mono cut-left">${name}</td><td>${kind}</td><td class="number">${bytes(size)}</td></tr>`)}</tbody></table></section>`;
}

export function Overview() {
  const { notes } = model.value.data;
  return html`<div class="overview scrolls">
    <${Cards} />
    <div class="columns"><${Meshes} /><${Step} /><${ByKind} /><${Where} /><${Largest} />
    ${notes.length > 0 && html`<section><h2>Notes</h2><ul>${notes.map((note) => html`<li>${note}</li>`)}</ul></section>`}</div>
  </div>`;
}
