import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.matchMedia = () => ({ matches: false, addEventListener: () => {} });
const { around } = await import("../src/views/graph.js");
const { changes, difference } = await import("../src/views/passes.js");

test("of two texts the lines that only one of them has are marked, also where a line comes twice", () => {
  const found = difference([1, 2, 3, 2, 4], [1, 5, 3, 2, 2, 4]);
  assert.deepEqual(found.filter(({ mark }) => mark === "gone").map(({ line }) => line), [2]);
  assert.deepEqual(found.filter(({ mark }) => mark === "new").map(({ line }) => line).sort(), [2, 5]);
  assert.deepEqual(found.filter(({ mark }) => mark !== "new").map(({ line }) => line), [1, 2, 3, 2, 4]);
});

test("only lines near a change are shown, with gaps between them and none at the end", () => {
  const lines = Array.from({ length: 40 }, (_, line) => ({ line, mark: line === 10 || line === 30 ? "new" : "" }));
  const shown = changes(lines).map(({ line }) => line);
  assert.deepEqual(shown, [7, 8, 9, 10, 11, 12, 13, -1, 27, 28, 29, 30, 31, 32, 33]);
  assert.deepEqual(changes(lines.slice(0, 5)), []);
});

test("around a box are those that arrows lead to and from, the nearest first, up to a number", () => {
  const pairs = Array.from({ length: 200 }, (_, place) => [place, place + 1]);
  const found = around(100, pairs);
  assert.equal(found.size, 60);
  assert.ok(found.has(71) && found.has(129) && !found.has(60) && !found.has(140));
});
