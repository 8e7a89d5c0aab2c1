// What is chosen: one for all views, and kept in the address.

import { batch, computed, effect, signal } from "@preact/signals";

/** @type {import("@preact/signals").Signal<import("./model.js").Model>} */
export const model = signal(null);
export const view = signal("overview");
export const planNumber = signal(0);
/** What the details show: an op, a value of it, a collective. */
export const selection = signal({ op: -1, value: -1, collective: -1 });
export const theme = signal("light dark");
/** Filters of the collectives, which other views set. */
export const filters = signal({ kind: "", axes: "", place: "" });
export const help = signal(false);
/** Whether shardings are shown as they are written in the program, instead of what they come to. */
export const asWritten = signal(false);

export const plan = computed(() => model.value.plans[planNumber.value]);
export const program = computed(() => plan.value.program);
export const hasSelection = computed(() => selection.value.op >= 0 || selection.value.collective >= 0);

export function selectOp(op, value = -1) {
  selection.value = { op, value, collective: -1 };
}

export function selectCollective(index) {
  const one = plan.value.collectives[index];
  selection.value = { op: one.op, value: -1, collective: index };
}

export function clearSelection() {
  selection.value = { op: -1, value: -1, collective: -1 };
}

export function otherPlan() {
  const plans = model.value.plans;
  if (plans.length < 2) return;
  batch(() => {
    const same = plans[0].program === plans[1].program;
    planNumber.value = 1 - planNumber.value;
    const { op, value } = selection.value;
    selection.value = same ? { op, value, collective: -1 } : { op: -1, value: -1, collective: -1 };
  });
}

const VIEWS = ["overview", "program", "collectives", "timeline", "compare", "plan", "source", "graph", "passes"];

function address() {
  const { op, collective } = selection.value;
  const chosen = collective >= 0 ? `c${collective}` : op >= 0 ? `o${op}` : "";
  return `#${[view.value, "ab"[planNumber.value], chosen].filter(Boolean).join("/")}`;
}

/** Chooses what the address says, as far as there is such a thing. */
export function followAddress() {
  const [name, letter, chosen] = location.hash.slice(1).split("/");
  batch(() => {
    if (VIEWS.includes(name)) view.value = name;
    const number = "ab".indexOf(letter ?? "a");
    if (number >= 0 && number < model.value.plans.length) planNumber.value = number;
    const index = Number(chosen?.slice(1));
    if (chosen?.[0] === "c" && plan.value.collectives[index]) selectCollective(index);
    else if (chosen?.[0] === "o" && index < program.value.results.length) selectOp(index);
  });
}

export function keepAddress() {
  let shown = view.value;
  effect(() => {
    const text = address();
    const isOther = view.value !== shown;
    shown = view.value;
    if (text === location.hash) return;
    try {
      history[isOther ? "pushState" : "replaceState"](null, "", text);
    } catch {
      // A frame in a notebook has no address of its own.
    }
  });
  addEventListener("popstate", followAddress);
}
