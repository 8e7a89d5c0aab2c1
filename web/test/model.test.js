import assert from "node:assert/strict";
import { test } from "node:test";
import { foldEqual, liveAt, Model } from "../src/model.js";

/** Two layers of one op each, a call of a function that sends, and an op in a region that is not shown. */
function small() {
  const names = ["builtin.module", "func.func", "stablehlo.dot_general", "stablehlo.dot_general", "func.call", "stablehlo.reduce", "stablehlo.add", "func.func", "stablehlo.tanh"];
  const parent = [-1, 0, 1, 1, 1, 1, 5, 0, 7];
  const locations = ["", "jit(f)/layer0/dot", "jit(f)/layer1/dot"];
  const layer = (number, op) => ({ k: "scope", l: `layer${number}`, c: [{ k: "op", l: "dot_general", op }, { k: "op", l: "x", op: 90 + op }] });
  const collective = (op, bytes) => ({ id: "c", kind: "all_reduce", axes: ["x"], operand_bytes: bytes, times: 1, serves: "s", reshard: null, op, bytes_sent: bytes });
  return {
    axes: [{ name: "x", colour: 3 }],
    programs: [{
      op_names: [...new Set(names)],
      types: [], locations, sources: [], text: "", calls: [[4, 7]],
      ops: { name: names.map((name) => [...new Set(names)].indexOf(name)), parent, line: names.map(() => -1), source: names.map(() => -1), location: [0, 0, 1, 2, 0, 0, 0, 0, 0], operands: names.map(() => []) },
      values: { name: ["%0", "%1", "%2"], type: [0, 0, 0], op: [2, 3, 5], kind: [0, 0, 0], called: ["", "", ""] },
      tree: [
        { k: "func", l: "@main", op: 1, c: [{ k: "fold", l: "layer0 … layer1", c: [layer(0, 2), layer(1, 3)] }, { k: "op", l: "call", op: 4 }, { k: "op", l: "reduce", op: 5 }] },
        { k: "func", l: "@f", op: 7, c: [{ k: "op", l: "tanh", op: 8 }] },
      ],
    }],
    plans: [{
      name: "A", program: 0, labels: [], values: { label: [-1, -1, -1], local_bytes: [0, 0, 0] },
      collectives: [collective(2, 8), collective(3, 8), collective(6, 4), collective(8, 100)], ops: 4, bytes_sent: 120,
      reasons: { texts: ["x", "k", "o", "l"], stops: { value: [], is_stop: [], reason: [], text: [] },
        came: { value: [2, 1, 0], axis: [0, 0, 0], dim: [0, 0, 0], kind: [1, 1, 1], origin: [2, 2, 2], hops: [2, 1, 0], last: [3, 3, -1], before: [1, 0, -1] } },
    }],
  };
}

test("sums: what is sent in an op that is not shown, and in a function that is called, counts where it is seen", () => {
  const [main, called] = new Model(small()).programs[0].roots;
  const [fold, call, reduce] = main.children;
  assert.deepEqual([main, fold, call, reduce, called].map((node) => node.sums[0].bytes), [120, 16, 100, 4, 100]);
});

test("ops are found by their names, their locations and the names of their values", () => {
  const program = new Model(small()).programs[0];
  const found = (wanted) => [...program.having(wanted)].flatMap((is, op) => (is ? [op] : []));
  assert.deepEqual([found("tanh"), found("layer1/"), found("%2"), found("nothing")], [[8], [3], [5], []]);
});

test("equal collectives in layers that differ in their number are one row", () => {
  const { plans } = new Model(small());
  assert.deepEqual(plans[0].places.slice(0, 2), [["layer0"], ["layer1"]]);
  assert.deepEqual(foldEqual(plans[0]), [[0, 1], [2], [3]]);
});

test("the way of an axis is the chain of values before, to where it was given", () => {
  const [plan] = new Model(small()).plans;
  assert.deepEqual(plan.chain(2, "x").map((each) => each.value), [2, 1, 0]);
});

test("a part of an axis has the colour of the axis", () => {
  assert.equal(new Model(small()).colour("x:(1)2"), "a3");
});

test("what is in memory at a time: from the op that makes it to behind its last use, the largest first", () => {
  const live = { bytes: [1, 4, 2], from: [0, 1, 2], to: [9, 3, 3] };
  assert.deepEqual([0, 1, 2, 3, 9].map((time) => liveAt(live, time)), [[0], [1, 0], [1, 2, 0], [0], []]);
});

test("causes are those of the value that is meant, where another region has a value of the same name", () => {
  const data = small();
  data.programs[0].values.name = ["%0", "%arg5", "%arg5"];
  data.plans[0].causes = [{ around: [["operand 0", 1]] }, { around: [["operand 0", 2]] }, { around: [] }];
  const [plan] = new Model(data).plans;
  assert.deepEqual([0, 1, 2, 3].map((index) => plan.around(index).map((row) => row.value)), [[1], [2], [], []]);
});
