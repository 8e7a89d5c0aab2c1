import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "../src/model.js";
import { model } from "../src/state.js";
import { PlanView } from "../src/views/plan.js";

const found = {
  tables: [{ title: "step", headings: ["", "step", "memory"], rows: [["predicted", "310.4 us", "5.5 MiB"], ["<b>", "0", ""]] }],
  bounds: [["products", 0.75], ["memory", 0.25]],
  memory: [["argument", 1024], ["value", 3072]],
  where: "dot_general",
  remarks: ["the step waits for products 75%"],
};

function shown(of) {
  const program = { op_names: [], types: [], locations: [], sources: [], text: "", calls: [], tree: [], ops: { name: [], parent: [], line: [], source: [], location: [], operands: [] }, values: { name: [], type: [], op: [], kind: [], called: [] } };
  const plan = { name: "A", program: 0, labels: [], values: { label: [], local_bytes: [] }, collectives: [], ops: 0, bytes_sent: 0, reasons: null, found: of };
  model.value = new Model({ axes: [], programs: [program], plans: [plan] });
  return texts(PlanView()).join("|");
}

/** The texts of a tree, with components run. */
function texts(node) {
  if (node === null || node === undefined || typeof node === "boolean") return [];
  if (Array.isArray(node)) return node.flatMap(texts);
  if (typeof node !== "object") return [String(node)];
  return typeof node.type === "function" ? texts(node.type(node.props)) : texts(node.props.children);
}

test("a plan that was found is told with its tables, shares and remarks", () => {
  const text = shown(found);
  for (const each of ["310.4 us", "<b>", "The step waits for", "75 %", "dot_general", "3 KiB", "the step waits for products 75%"]) assert.ok(text.includes(each), each);
});

test("what was not partitioned is left out, and other plans say that they were not found", () => {
  const text = shown({ ...found, bounds: [], memory: [], where: "" });
  assert.ok(!text.includes("waits for|") && !text.includes("In memory"));
  assert.equal(shown(null), "This plan was not found by sdy.auto.");
});
