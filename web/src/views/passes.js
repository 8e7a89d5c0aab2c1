// What passes do to the program: the differences between its texts after any two of them.

import { signal } from "@preact/signals";
import { diffArrays } from "diff";
import { html } from "htm/preact";
import { useMemo, useRef } from "preact/hooks";
import { count } from "../format.js";
import { plan, program, selectOp, selection } from "../state.js";
import { useVirtual } from "../virtual.js";

const LINE = 19;
const AROUND = 3;

/** The two texts, by their numbers; null is the first change of the program. */
const chosen = signal(null);
const isWhole = signal(false);

/** Lines of both texts in order: those that are gone, new, or in both. */
export function difference(before, after) {
  return diffArrays(before, after).flatMap(({ value, added, removed }) => value.map((line) => ({ line, mark: added ? "new" : removed ? "gone" : "" })));
}

/** Only what changes, with the lines around it; a gap is a line of its own. */
export function changes(lines) {
  const near = new Set();
  lines.forEach(({ mark }, place) => {
    if (mark) for (let at = place - AROUND; at <= place + AROUND; at++) near.add(at);
  });
  const found = [];
  lines.forEach((line, place) => {
    if (near.has(place)) found.push(line);
    else if (found.length && found.at(-1).line >= 0) found.push({ line: -1, mark: "" });
  });
  if (found.length && found.at(-1).line < 0) found.pop();
  return found;
}

/** The op of the program that a line comes from: its number is the name of its value. */
function opOf(text) {
  const name = /^\s*%(\d+)(?:_\d+)?\b/.exec(text);
  return name && Number(name[1]) < program.value.results.length ? Number(name[1]) : -1;
}

function Choice({ label, told, value, onChange }) {
  const { name } = plan.value.data.passes;
  return html`<label>${label} <select aria-label=${told} value=${value} onChange=${(event) => onChange(Number(event.target.value))}>${name.map((each, number) => html`<option value=${number} selected=${number === value}>${number ? `${number} ${each}` : each}</option>`)}</select></label>`;
}

export function PassesView() {
  const box = useRef(null);
  const { passes } = plan.value.data;
  const last = (passes?.text.length ?? 1) - 1;
  const [from, to] = (chosen.value ?? [0, Math.min(1, last)]).map((number) => Math.min(number, last));
  const all = useMemo(() => (passes ? difference(passes.text[from], passes.text[to]) : []), [passes, from, to]);
  const lines = useMemo(() => (isWhole.value ? all : changes(all)), [all, isWhole.value]);
  const virtual = useVirtual({ count: lines.length, element: () => box.current, size: LINE });
  const counted = (mark) => count(all.filter((each) => each.mark === mark).length);
  if (!passes) return html`<p class="line quiet">Texts after passes are left out of pages of large programs.</p>`;
  const step = (by) => { chosen.value = [Math.max(0, Math.min(last, from + by)), Math.max(0, Math.min(last, to + by))]; };
  return html`<div class="passes">
    <div class="tools"><${Choice} label="From" told="First pass" value=${from} onChange=${(number) => { chosen.value = [number, to]; }} />
      <${Choice} label="to" told="Second pass" value=${to} onChange=${(number) => { chosen.value = [from, number]; }} />
      <button onClick=${() => step(-1)} disabled=${!from}>Back</button><button onClick=${() => step(1)} disabled=${to === last}>Next</button>
      <label><input type="checkbox" checked=${isWhole.value} onChange=${(event) => { isWhole.value = event.target.checked; }} /> whole program</label>
      <span class="quiet" role="status">${counted("gone")} lines gone, ${counted("new")} new</span></div>
    <section class="code" aria-label="Difference">
      <div class="scrolls mono" ref=${box} tabindex="0"><div class="space" style=${{ height: `${virtual.getTotalSize()}px` }}>
        ${virtual.getVirtualItems().map(({ index, start }) => lines[index] && html`<${Line} key=${index} place=${start} ...${lines[index]} />`)}
      </div></div></section>
  </div>`;
}

function Line({ line, mark, place }) {
  const text = line < 0 ? "⋯" : plan.value.data.passes.lines[line];
  const op = line < 0 ? -1 : opOf(text);
  const isHere = op >= 0 && op === selection.value.op;
  return html`<div class=${`code-line ${mark} ${isHere ? "here" : ""}`} style=${{ transform: `translateY(${place}px)` }} onClick=${() => op >= 0 && selectOp(op)}>
    <span class="quiet">${{ gone: "−", new: "+" }[mark] ?? ""}</span>${text}</div>`;
}
