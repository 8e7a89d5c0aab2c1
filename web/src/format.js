// How numbers are written.

const BYTES = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** @param {number} value three digits, without trailing zeros */
export function digits(value) {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** @param {number} count bytes; less than 0 if they are not known */
export function bytes(count) {
  if (count < 0) return "?";
  let unit = 0;
  while (count >= 1024 && unit < BYTES.length - 1) {
    count /= 1024;
    unit += 1;
  }
  return `${digits(count)} ${BYTES[unit]}`;
}

/** @param {number | null} value seconds */
export function seconds(value) {
  if (value === null || value === undefined) return "–";
  if (value === 0) return "0 s";
  for (const [unit, size] of [["s", 1], ["ms", 1e-3], ["µs", 1e-6]]) {
    if (Math.abs(value) >= size) return `${digits(value / size)} ${unit}`;
  }
  return `${digits(value / 1e-9)} ns`;
}

/** @param {number} value */
export function count(value) {
  return value.toLocaleString("en-US");
}

/** @param {number} value less is better: with its sign, a true minus among them */
export function signed(value, write) {
  return value === 0 ? "0" : `${value < 0 ? "−" : "+"}${write(Math.abs(value))}`;
}

/** The texts of ticks: one unit for the axis, as many digits as the step needs. @param {number[]} ticks microseconds */
export function ticks(ticks) {
  const most = Math.max(...ticks.map(Math.abs), 0);
  const [unit, size] = most >= 1e6 ? ["s", 1e6] : most >= 1e3 ? ["ms", 1e3] : ["µs", 1];
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) / size : 1;
  const places = Math.max(0, Math.min(6, -Math.floor(Math.log10(step || 1))));
  return ticks.map((tick) => `${(tick / size).toFixed(places)} ${unit}`);
}
