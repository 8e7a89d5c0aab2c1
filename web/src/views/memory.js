// What is in memory: at the peak, or at the time that was chosen in the plot.

import { signal } from "@preact/signals";
import { html } from "htm/preact";
import { bytes, count, seconds } from "../format.js";
import { liveAt } from "../model.js";
import { plan, selectOp } from "../state.js";

const MOST = 30;

/** Microseconds from the start of the step, with the schedule that they are of; null for the peak. */
export const chosenTime = signal(null);

export function chooseTime(time) {
  chosenTime.value = { time, schedule: plan.value.data.schedule };
}

export function InMemory() {
  const { schedule } = plan.value.data;
  const chosen = chosenTime.value?.schedule === schedule ? chosenTime.value : null;
  if (chosen) return html`<${AtTime} live=${schedule.live} time=${chosen.time} />`;
  if (!schedule.held.length) return null;
  return html`<h2>In memory at the peak <small>${bytes(schedule.peak)}, at ${schedule.where}; click the plot for another time</small></h2>
    <table class="plain"><tbody>${schedule.held.map(([name, kind, size]) => html`<${Row} name=${name} kind=${kind} size=${size} op=${-1} />`)}</tbody></table>`;
}

function AtTime({ live, time }) {
  const rows = liveAt(live, time);
  const sum = rows.reduce((all, row) => all + live.bytes[row], 0);
  return html`<h2>In memory at ${seconds(time / 1e6)} <small>${bytes(sum)} in ${count(rows.length)} tensors, but for what loops and calls hold inside and what takes less than a 10,000th of the peak</small></h2>
    <p class="buttons"><button onClick=${() => { chosenTime.value = null; }}>Show the peak</button></p>
    <table class="plain"><tbody>${rows.slice(0, MOST).map((row) => html`<${Row} key=${row} name=${live.name[row]} kind=${live.kind[row]} size=${live.bytes[row]} op=${live.op[row]} />`)}</tbody></table>
    ${rows.length > MOST && html`<p class="quiet">and ${count(rows.length - MOST)} more</p>`}`;
}

function Row({ name, kind, size, op }) {
  return html`<tr><td class="mono">${op >= 0 ? html`<button class="link mono" onClick=${() => selectOp(op)}>${name}</button>` : name}</td><td>${kind}</td><td class="number">${bytes(size)}</td></tr>`;
}
