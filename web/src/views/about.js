// Keys, and whose code is in the page.

import { html } from "htm/preact";
import { help } from "../state.js";

const KEYS = [
  ["1 … 9", "the views"],
  ["/", "find"],
  ["p", "the other plan"],
  ["Esc", "close what is open"],
  ["↑ ↓ ← → Home End", "move in tree and tables, open and close"],
  ["*", "open all neighbours in the tree"],
  ["Enter", "select; in Collectives: show in the program"],
  ["W S A D", "zoom and move the timeline"],
];

export function About() {
  return html`<dialog open aria-label="Help" class="help">
    <button class="close" aria-label="Close help" onClick=${() => { help.value = false; }}>✕</button>
    <h2>Keys</h2><dl>${KEYS.map(([key, what]) => html`<dt class="mono">${key}</dt><dd>${what}</dd>`)}</dl>
    <details><summary>About</summary><p>Written by sdy. The page holds code of others:</p><pre>${document.getElementById("licences").textContent}</pre></details>
  </dialog>`;
}
