import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, seconds, signed, ticks } from "../src/format.js";

test("bytes in the unit that fits, three digits", () => {
  assert.deepEqual([0, 512, 1024, 1536, 10 * 2 ** 20, 3.141 * 2 ** 30, -1].map(bytes), ["0 B", "512 B", "1 KiB", "1.5 KiB", "10 MiB", "3.14 GiB", "?"]);
});

test("what has no time shows a dash, not zero", () => {
  assert.deepEqual([null, 0, 2, 1.5e-3, 4e-6, 5e-9].map(seconds), ["–", "0 s", "2 s", "1.5 ms", "4 µs", "5 ns"]);
});

test("differences have a sign, a true minus among them", () => {
  assert.deepEqual([signed(0, bytes), signed(-2048, bytes), signed(12, String)], ["0", "−2 KiB", "+12"]);
});

test("ticks have one unit, and as many digits as the step needs", () => {
  assert.deepEqual(ticks([0, 500, 1000]), ["0.0 ms", "0.5 ms", "1.0 ms"]);
  assert.deepEqual(ticks([20, 25]), ["20 µs", "25 µs"]);
});
