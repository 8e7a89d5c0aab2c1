// Pieces that several views are made of.

import { html } from "htm/preact";
import { bytes } from "./format.js";
import { asWritten, model, plan, planNumber, program, selectCollective, selectOp } from "./state.js";

export const KIND = (kind) => kind.replaceAll("_", "-");

/** The axes of a collective in their colours. */
export function Axes({ axes }) {
  if (axes === null) return html`<span class="quiet">irregular</span>`;
  return axes.map((axis) => html`<b class=${model.value.colour(axis)}>${axis}</b> `);
}

/** The label of a value: drawn, and escaped, where the data were made. */
export function Label({ value }) {
  const label = asWritten.value ? plan.value.written(value) : plan.value.label(value);
  if (!label && asWritten.value) return html`<span class="quiet">nothing</span>`;
  if (!label) return html`<span class="quiet">${program.value.data.types[program.value.data.values.type[value]]}</span>`;
  return html`<span dangerouslySetInnerHTML=${{ __html: label.html }} />`;
}

/** A bar that is part of a whole, in the colour of axes if it has some. */
export function Bar({ part, axes = null, colour = null }) {
  const name = colour ?? (axes?.length ? model.value.colour(axes[0]) : "plain");
  return html`<span class="bar" aria-hidden="true"><span class=${name} style=${{ width: `${Math.max(0, Math.min(1, part)) * 100}%` }} /></span>`;
}

export function CollectiveChip({ index }) {
  const one = plan.value.collectives[index];
  return html`<button class="chip" onClick=${(event) => { event.stopPropagation(); selectCollective(index); }}
    title=${one.cause}>${KIND(one.kind)} <${Axes} axes=${one.axes} /> ${bytes(one.bytes_sent)}</button>`;
}

export function ValueLink({ value, children }) {
  const { values } = program.value.data;
  return html`<button class="link mono" onClick=${() => selectOp(values.op[value], value)}>${children ?? program.value.valueName(value)}</button>`;
}

/** What a node of the tree sends. */
export function Sum({ node }) {
  const sum = node.sums[planNumber.value];
  const whole = plan.value.data.bytes_sent;
  if (!sum || !sum.count) return null;
  return html`<span class="sum"><${Bar} part=${whole ? sum.bytes / whole : 0} /><span>${Math.round(sum.count)} · ${bytes(sum.bytes)}</span></span>`;
}

export function times(one) {
  const number = one.times === null ? "?" : String(one.times);
  return `${one.is_conditional ? "≤ " : ""}${number}${one.is_in_loop ? " ↻" : ""}`;
}
