// The details of what is selected: the collective with its cause and cures, the op, and its values on the mesh.

import { signal } from "@preact/signals";
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { bytes, count, seconds, signed } from "../format.js";
import { Axes, CollectiveChip, KIND, Label, times, ValueLink } from "../parts.js";
import { clearSelection, model, plan, program, selection, selectOp, view } from "../state.js";

export const shownSpan = signal(-1);

export function Details() {
  const { op, value, collective } = selection.value;
  return html`<aside class="details scrolls" aria-label="Details">
    <button class="close" aria-label="Close details" onClick=${clearSelection}>✕</button>
    ${collective >= 0 && html`<${Collective} index=${collective} />`}
    ${op >= 0 && html`<${Op} op=${op} chosen=${value} />`}
    ${op < 0 && html`<p class="quiet">It serves no op of the program as it was given.</p>`}
  </aside>`;
}

function Collective({ index }) {
  const one = plan.value.collectives[index];
  const cause = plan.value.data.causes[index];
  return html`<section><h2>${KIND(one.kind)} <${Axes} axes=${one.axes} /> <small class="mono">${one.id}</small></h2>
    <dl>
      <dt>sends</dt><dd>${bytes(one.bytes_sent)} per device${one.times === 1 ? "" : `, ${times(one)} times`}</dd>
      <dt>operand</dt><dd>${bytes(one.operand_bytes)}, groups of ${one.group_size}</dd>
      ${one.seconds !== null && html`<dt>takes</dt><dd>${seconds(one.seconds)} each time, of which a device waits ${seconds(one.exposed)}</dd>`}
      <dt>cause</dt><dd data-part="cause">${one.cause}</dd>
      ${one.reshard && html`<dt>reshard</dt><dd class="mono">${one.reshard}</dd>`}
    </dl>
    <p class="buttons"><button onClick=${() => { view.value = "program"; }}>Show in program</button>
      ${plan.value.data.schedule && html` <button onClick=${() => { shownSpan.value = index; view.value = "timeline"; }}>Show in timeline</button>`}</p>
    ${cause && html`<${Cause} index=${index} one=${one} cause=${cause} />`}
  </section>`;
}

function Cause({ index, one, cause }) {
  return html`${cause.factors.length > 0 && html`<h3>The op that it serves</h3><ul class="mono small">${cause.factors.map((line) => html`<li>${line}</li>`)}</ul>`}
    <h3>Where the axes come from</h3><${Around} index=${index} cause=${cause} />
    <h3>What would remove it</h3><${Cures} one=${one} cause=${cause} />`;
}

function Around({ index, cause }) {
  const shown = plan.value.around(index);
  if (!shown.length) return html`<p class="quiet">${cause.around.length ? "None of its tensors is sharded." : "It is not known how its tensors are sharded."}</p>`;
  return shown.map((row) => html`<${Came} key=${`${row.role}${row.value}${row.came.axis}`} prefix=${html`${row.role}, <${ValueLink} value=${row.value} />: `} value=${row.value} came=${row.came} />`);
}

function Cures({ one, cause }) {
  if (!cause.is_tried) {
    return html`<p class="quiet">Not tried for this one. <code>sdy.why(program, "${one.id}")</code> tries it, or more of them at once: <code>--cures N</code>.</p>`;
  }
  const cheaper = cause.cures.filter((cure) => cure.is_cheaper);
  const dearer = cause.cures.filter((cure) => !cure.is_cheaper);
  return html`<p class="quiet">${count(cause.tried)} changes were tried on the whole program, which sends ${bytes(plan.value.data.bytes_sent)}.</p>
    ${cheaper.length === 0 && html`<p>nothing cheaper was found</p>`}
    <ol class="cures">${[...cheaper, ...dearer].map((cure) => html`<li>
      <strong class=${cure.is_cheaper ? "better" : "worse"}>${signed(-cure.bytes_saved, bytes)}${cure.seconds_saved === null ? "" : `, ${signed(-cure.seconds_saved, seconds)}`}</strong> ${cure.text}</li>`)}</ol>`;
}

function Op({ op, chosen }) {
  const p = program.value;
  const source = p.source(op);
  const isFunction = p.opName(op) === "func.func";
  const values = isFunction ? [...p.inputs[op], ...p.outputs[op]] : [...p.results[op], ...p.inputs[op]];
  const value = chosen >= 0 ? chosen : values[0] ?? -1;
  const others = plan.value.collectivesOf(op).filter((index) => index !== selection.value.collective);
  const called = p.callee.get(op);
  return html`<section><h2><span class="mono quiet">${p.results[op].map((each) => p.data.values.name[each]).join(", ")}</span> ${p.opName(op)}</h2>
    ${p.location(op) && html`<p class="quiet wraps">${p.location(op)}</p>`}
    ${called !== undefined && html`<p>calls <button class="link" onClick=${() => selectOp(called)}>${p.nodeOfOp.get(called)?.label}</button></p>`}
    ${source && html`<h3>${source[0]}:${source[1]}</h3>${source[2] && html`<pre class="source">${source[2]}</pre>`}`}
    ${p.data.ops.operands[op].length > 0 && html`<h3>Operands</h3><ul class="values">${p.data.ops.operands[op].map((each) => html`<li><${ValueLink} value=${each} /> <${Label} value=${each} /></li>`)}</ul>`}
    ${values.length > 1 && html`<h3>Values</h3><ul class="values">${values.slice(0, 200).map((each) => html`<li class=${each === value ? "chosen" : ""}><button class="link mono" onClick=${() => selectOp(op, each)}>${p.valueName(each)}</button> <${Label} value=${each} /></li>`)}</ul>`}
    ${value >= 0 && html`<${OnMesh} value=${value} /><${Why} key=${value} value=${value} />`}
    ${others.length > 0 && html`<h3>${selection.value.collective >= 0 ? "Other collectives here" : "Collectives here"}</h3><p>${others.map((index) => html`<${CollectiveChip} key=${index} index=${index} /> `)}</p>`}
    <${Text} op=${op} />
  </section>`;
}

function OnMesh({ value }) {
  const label = plan.value.label(value);
  if (!label) return null;
  const size = plan.value.localBytes(value);
  const [mesh, tensor] = label.drawing;
  const hover = (event) => {
    const piece = event.target.closest?.("[data-piece]")?.dataset.piece;
    for (const each of event.currentTarget.querySelectorAll("[data-piece]")) each.classList.toggle("dim-out", piece !== undefined && each.dataset.piece !== piece);
  };
  const written = plan.value.written(value);
  return html`<h3>${program.value.valueName(value)} on the mesh</h3>
    <p><span dangerouslySetInnerHTML=${{ __html: label.html }} /> <span class="quiet">${bytes(size)} per device</span>
      <button class="small" onClick=${() => navigator.clipboard?.writeText(label.text)}>Copy</button></p>
    ${written && html`<p class="quiet wraps">written: <code>${written.text}</code></p>`}
    ${mesh && html`<div class="drawings" onMouseOver=${hover} onMouseLeave=${hover}>
      <div dangerouslySetInnerHTML=${{ __html: mesh }} /><div dangerouslySetInnerHTML=${{ __html: tensor }} /></div>
      <p class="quiet">Devices and pieces of one colour belong together.</p>`}`;
}

function Why({ value }) {
  if (!plan.value.data.reasons) return null;
  const came = plan.value.came(value);
  const stops = plan.value.stops(value);
  if (!came.length && !stops.length) return null;
  return html`<h3>Why</h3>${came.map((each) => html`<${Came} key=${each.axis} value=${value} came=${each} />`)}
    ${[true, false].map((isStop) => {
      const some = stops.filter((stop) => stop.isStop === isStop);
      return some.length > 0 && html`<details><summary>${isStop ? "went no further" : "did not come"} (${some.length})</summary><ul class="small">${some.map((stop) => html`<li>${stop.text}</li>`)}</ul></details>`;
    })}`;
}

function Came({ value, came, prefix = "" }) {
  const [isOpen, setOpen] = useState(false);
  const colour = model.value.colour(came.axis);
  const chain = isOpen ? plan.value.chain(value, came.axis).slice(1) : [];
  return html`<div class=${`came edge-${colour}`}>
    <p>${prefix}<b class=${colour}>${came.axis}</b> in dimension ${came.dim} ${came.origin ? html`comes from ${came.origin}` : "comes from the tensors around"}${came.hops ? `, ${came.hops} hop${came.hops > 1 ? "s" : ""}` : ", where it was given"}</p>
    ${came.last && html`<p class="quiet">last: ${came.last}${came.before >= 0 && html`, from <${ValueLink} value=${came.before} />`}</p>`}
    ${came.hops > 1 && html`<button class="small" aria-expanded=${String(isOpen)} onClick=${() => setOpen(!isOpen)}>${isOpen ? "hide the hops" : "all hops"}</button>`}
    ${isOpen && html`<ol class="small">${chain.map((each) => html`<li><${ValueLink} value=${each.value} /> ${each.last || `given by ${each.origin}`}</li>`)}</ol>`}
  </div>`;
}

function Text({ op }) {
  const [around, setAround] = useState(2);
  const line = program.value.data.ops.line[op];
  if (line < 0) return null;
  const lines = plan.value.lines();
  const number = (place) => (program.value.data.line_numbers?.[place] ?? place) + 1;
  const first = Math.max(0, line - around);
  return html`<h3>Program, line ${number(line)}</h3>
    <div class="text mono">${lines.slice(first, line + around + 1).map((text, index) => html`<div class=${first + index === line ? "here" : ""}><span class="quiet">${number(first + index)}</span>${text}</div>`)}</div>
    ${around < 40 && html`<button class="small" onClick=${() => setAround(40)}>more</button>`}`;
}
