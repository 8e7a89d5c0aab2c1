// What a plan that was found decides and costs, as `sdy.auto` tells it.

import { html } from "htm/preact";
import { bytes } from "../format.js";
import { Bar } from "../parts.js";
import { plan } from "../state.js";

const NUMBER = /^-?[\d.,]+( ?(B|[KMGTP]iB|s|ms|us|ns))?$/;

function Table({ table }) {
  return html`<section class="broad"><h2>${table.title}</h2><table class="plain">
    <thead><tr>${table.headings.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
    <tbody>${table.rows.map((row) => html`<tr>${row.map((cell) => html`<td class=${NUMBER.test(cell) ? "number" : "mono"}>${cell}</td>`)}</tr>`)}</tbody>
  </table></section>`;
}

function Shares({ title, rows, write, note }) {
  const whole = rows.reduce((sum, [, size]) => sum + size, 0) || 1;
  if (!rows.length) return null;
  return html`<section><h2>${title} ${note && html`<small>${note}</small>`}</h2>
    <table class="plain"><tbody>${rows.map(([name, size]) => html`<tr><td>${name}</td><td class="wide"><${Bar} part=${size / whole} /></td><td class="number">${write(size)}</td></tr>`)}</tbody></table></section>`;
}

export function PlanView() {
  const { found } = plan.value.data;
  if (!found) return html`<p class="quiet">This plan was not found by sdy.auto.</p>`;
  return html`<div class="overview scrolls"><div class="columns">
    ${found.tables.map((table) => html`<${Table} key=${table.title} table=${table} />`)}
    <${Shares} title="The step waits for" rows=${found.bounds} write=${(share) => `${Math.round(100 * share)} %`} />
    <${Shares} title="In memory at the peak" note=${found.where} rows=${found.memory} write=${bytes} />
    ${found.remarks.length > 0 && html`<section><h2>Remarks</h2><ul>${found.remarks.map((each) => html`<li>${each}</li>`)}</ul></section>`}
  </div></div>`;
}
