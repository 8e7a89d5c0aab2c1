// The page: unpacks its data, and shows the views.

import "./style.css";
import { html, render } from "htm/preact";
import { useEffect } from "preact/hooks";
import { Model } from "./model.js";
import { clearSelection, followAddress, hasSelection, help, keepAddress, model, otherPlan, planNumber, theme, view } from "./state.js";
import { About } from "./views/about.js";
import { CollectivesView } from "./views/collectives.js";
import { CompareView } from "./views/compare.js";
import { Details } from "./views/details.js";
import { GraphView } from "./views/graph.js";
import { Overview } from "./views/overview.js";
import { PassesView } from "./views/passes.js";
import { PlanView } from "./views/plan.js";
import { openRoots, ProgramView } from "./views/program.js";
import { SourceView } from "./views/source.js";
import { TimelineView } from "./views/timeline.js";

const TABS = [
  ["overview", "Overview", Overview],
  ["program", "Program", ProgramView],
  ["collectives", "Collectives", CollectivesView],
  ["timeline", "Timeline", TimelineView],
  ["compare", "Compare", CompareView],
  ["plan", "Plan", PlanView],
  ["source", "Source", SourceView],
  ["graph", "Graph", GraphView],
  ["passes", "Passes", PassesView],
];

/** Whether there is something for a view to show. */
function isThere(name) {
  const plans = model.value.plans;
  if (name === "compare") return plans.length > 1;
  if (name === "passes") return plans.some((each) => each.data.passes);
  return name !== "plan" || plans.some((each) => each.data.found);
}

/** The data, which are JSON, plain or gzipped and in base64. */
async function unpacked() {
  const holder = document.getElementById("data");
  if (holder.type === "application/json") return JSON.parse(holder.textContent);
  const packed = Uint8Array.from(atob(holder.textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function Head() {
  const { title, axes, meshes, plans } = model.value.data;
  const sizes = new Map(meshes.flatMap((mesh) => mesh.axes.map((axis) => [axis.name, axis.size])));
  return html`<header>
    <h1>${title}</h1>
    ${axes.map((axis) => html`<span class="mark"><b class=${`a${axis.colour}`}>${axis.name}</b> ${sizes.get(axis.name)}</span>`)}
    <nav role="tablist" aria-label="Views">${TABS.filter(([name]) => isThere(name)).map(([name, label]) => html`<button role="tab" key=${name} id=${`tab-${name}`} aria-selected=${String(view.value === name)} aria-controls="view" onClick=${() => { view.value = name; }}>${label}</button>`)}</nav>
    ${plans.length > 1 && html`<label class="plan">Plan <select value=${planNumber.value} onChange=${(event) => { if (Number(event.target.value) !== planNumber.value) otherPlan(); }}>${plans.map((plan, number) => html`<option value=${number} selected=${number === planNumber.value}>${"AB"[number]}: ${plan.name}</option>`)}</select></label>`}
    <button aria-label="Save as JSON" title="Save the data as JSON" onClick=${save}>JSON</button>
    <button aria-label="Light or dark" title="Light or dark" onClick=${otherTheme}>◐</button>
    <button aria-label="Help" aria-expanded=${String(help.value)} onClick=${() => { help.value = !help.value; }}>?</button>
  </header>`;
}

function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(model.value.data)], { type: "application/json" }));
  link.download = "report.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

function otherTheme() {
  const isDark = theme.value === "dark" || (theme.value === "light dark" && matchMedia("(prefers-color-scheme: dark)").matches);
  theme.value = isDark ? "light" : "dark";
  document.documentElement.style.colorScheme = theme.value;
}

/** Finds nothing any more: shows all rows, and the keys are those of the page. */
function leaveFind(field) {
  field.value = "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.blur();
}

function onKey(event) {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape") {
    if (help.value) help.value = false;
    else if (event.target.id === "find") leaveFind(event.target);
    else clearSelection();
    return;
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const tab = TABS[Number(event.key) - 1];
  if (tab && isThere(tab[0])) view.value = tab[0];
  else if (event.key === "p") otherPlan();
  else if (event.key === "?") help.value = !help.value;
  else if (event.key === "/" && document.getElementById("find")) document.getElementById("find").focus();
  else return;
  event.preventDefault();
}

function App() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    requestAnimationFrame(() => document.documentElement.setAttribute("data-ready", ""));
    return () => removeEventListener("keydown", onKey);
  }, []);
  const View = TABS.find(([name]) => name === view.value)[2];
  return html`<${Head} /><main class=${hasSelection.value ? "with-details" : ""}>
    <div id="view" role="tabpanel" aria-labelledby=${`tab-${view.value}`}><${View} key=${planNumber.value} /></div>
    ${hasSelection.value && html`<${Details} />`}
  </main>${help.value && html`<${About} />`}`;
}

async function start() {
  model.value = new Model(await unpacked());
  openRoots();
  followAddress();
  keepAddress();
  render(html`<${App} />`, document.getElementById("app"));
}

start().catch((error) => {
  document.getElementById("app").textContent = `The page cannot be shown: ${error.message}. It needs a browser of 2024 or later.`;
  throw error;
});
