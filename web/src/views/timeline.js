// What runs when: lanes over time, and the memory of a device below.

import { computed, signal } from "@preact/signals";
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { bytes, seconds, ticks } from "../format.js";
import { KIND } from "../parts.js";
import { model, plan, program, selectCollective, selection, selectOp, theme } from "../state.js";
import { shownSpan } from "./details.js";
import { chooseTime, InMemory } from "./memory.js";

const LANE = 42;
const LEFT = 120;
const TIMES = 34;
const under = signal(null);

const lanes = computed(() => plan.value.data.schedule?.lanes ?? []);

/** A lane is of ops, or of the collectives over some axes; there are several where these run at the same time. */
function computes(lane) {
  return lane.axes.length === 0;
}

function laneColour(lane) {
  return computes(lane) ? "compute" : model.value.colour(lane.axes[0]);
}

/** The colour that a class has on the page now, for canvas. */
function colourOf(name, property = "color") {
  const probe = document.createElement("i");
  probe.className = name;
  probe.style.display = "none";
  document.body.append(probe);
  const found = getComputedStyle(probe)[property];
  probe.remove();
  return found;
}

function spanText(lane, index) {
  const item = lane.item[index];
  const start = seconds(lane.start[index] / 1e6);
  const time = seconds(lane.length[index] / 1e6);
  if (computes(lane)) {
    const name = item >= 0 ? `${program.value.opLabel(item)} · ${program.value.location(item) || program.value.opName(item)}` : "what a pass has made";
    return `${name} · ${start} + ${time}`;
  }
  const one = plan.value.collectives[item];
  return `${KIND(one.kind)} ${bytes(one.bytes_sent)} · ${one.location} · ${start} + ${time}`;
}

function select(lane, index) {
  const item = lane.item[index];
  if (!computes(lane)) selectCollective(item);
  else if (item >= 0) selectOp(item);
}

/** The last span that starts at or before a time; they are in order. */
function spanAt(lane, time) {
  let low = 0;
  let high = lane.start.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.start[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Draws the spans in view; what is closer than a pixel is one, but for those with a text. */
function drawLanes(plot) {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const { left, top, width } = plot.bbox;
  const [from, to] = [plot.scales.x.min, plot.scales.x.max];
  const scale = width / (to - from);
  const chosen = selection.value;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, plot.bbox.height);
  ctx.clip();
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  lanes.value.forEach((lane, row) => {
    const fill = colourOf(laneColour(lane));
    const text = colourOf("on-lane");
    const y = top + (row * LANE + 7) * ratio;
    const height = (LANE - 14) * ratio;
    let merged = null;
    const flush = () => {
      if (merged) ctx.fillRect(merged[0], y, Math.max(merged[1] - merged[0], ratio), height);
      merged = null;
    };
    ctx.fillStyle = fill;
    for (let index = Math.max(0, spanAt(lane, from)); index < lane.start.length && lane.start[index] <= to; index++) {
      const x = left + (lane.start[index] - from) * scale;
      const end = x + lane.length[index] * scale;
      if (end < left) continue;
      const isWide = end - x > 60 * ratio;
      if (!isWide && merged && x - merged[1] < ratio) {
        merged[1] = Math.max(merged[1], end);
      } else {
        flush();
        merged = [x, end];
        if (isWide) {
          ctx.fillRect(x, y, end - x - ratio / 2, height);
          merged = null;
          ctx.save();
          ctx.beginPath();
          ctx.rect(Math.max(x, left), y, end - Math.max(x, left) - 3 * ratio, height);
          ctx.clip();
          ctx.fillStyle = text;
          const item = lane.item[index];
          const label = computes(lane) ? (item >= 0 ? program.value.opLabel(item) : "") : KIND(plan.value.collectives[item].kind);
          ctx.fillText(label, Math.max(x, left) + 4 * ratio, y + height / 2);
          ctx.restore();
        }
      }
    }
    flush();
    lane.item.forEach((item, index) => {
      const isChosen = computes(lane) ? chosen.collective < 0 && item >= 0 && item === chosen.op : item === chosen.collective;
      if (!isChosen) return;
      const x = left + (lane.start[index] - from) * scale;
      ctx.strokeStyle = colourOf("frame");
      ctx.lineWidth = 2 * ratio;
      ctx.strokeRect(x - 2 * ratio, y - 3 * ratio, Math.max(lane.length[index] * scale, ratio) + 4 * ratio, height + 6 * ratio);
    });
  });
  ctx.restore();
}

function axis(side = "quiet") {
  const stroke = colourOf(side);
  const grid = { stroke: colourOf("grid-line"), width: 1 };
  return { stroke, grid, ticks: grid };
}

export function TimelineView() {
  const box = useRef(null);
  const plots = useRef([]);
  const schedule = plan.value.data.schedule;
  useEffect(() => {
    if (!schedule || !box.current) return undefined;
    const place = box.current;
    const made = makePlots(place, schedule);
    plots.current = made;
    const onSize = () => made.forEach((plot) => plot.setSize({ width: place.clientWidth, height: plot.height }));
    const watch = new ResizeObserver(onSize);
    watch.observe(place);
    return () => {
      watch.disconnect();
      made.forEach((plot) => plot.destroy());
      place.replaceChildren();
      plots.current = [];
    };
  }, [schedule, theme.value]);
  useEffect(() => {
    plots.current[0]?.redraw(false);
  }, [selection.value]);
  useEffect(() => {
    if (shownSpan.value >= 0 && plots.current[0]) zoomTo(plots.current[0], shownSpan.value);
    shownSpan.value = -1;
  }, [shownSpan.value, schedule]);
  if (!schedule) {
    return html`<div class="scrolls pad"><h2>No machine</h2><p>Times and memory are estimated for a machine: pass <code>--machine h100</code> to <code>sdy-report</code>, or <code>machine="h100"</code>.</p></div>`;
  }
  const onKey = (event) => {
    const plot = plots.current[0];
    if (!plot) return;
    const moves = { w: () => zoom(plot, 0.6, where(plot)), s: () => zoom(plot, 1 / 0.6, where(plot)), a: () => pan(plot, -0.25), d: () => pan(plot, 0.25), ArrowRight: () => step(plot, 1), ArrowLeft: () => step(plot, -1), m: () => under.value && chooseTime(under.value.lane.start[under.value.index]) };
    if (event.key === "Enter" && under.value) select(under.value.lane, under.value.index);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") changeLane(event.key === "ArrowDown" ? 1 : -1);
    else if (moves[event.key]) moves[event.key]();
    else return;
    event.preventDefault();
  };
  return html`<div class="timeline scrolls pad">
    <h2>Estimated time of one step <small>all devices run alike; a row for what they compute, one for each set of mesh axes for what they send</small></h2>
    <div ref=${box} tabindex="0" role="application" aria-label="Timeline" onKeyDown=${onKey} class="plots" />
    <p role="status" class="mono under">${under.value ? spanText(under.value.lane, under.value.index) : " "}</p>
    <p class="quiet">Drag or wheel to zoom, W S to zoom, A D to move, double click for all, arrows from span to span, Enter selects, M or a click on the memory lists what is in it then. The Collectives table has the same as text.</p>
    <${InMemory} />
  </div>`;
}

function limits() {
  return [0, Math.max(plan.value.data.schedule.step * 1e6, 1e-3)];
}

function setRange(plot, from, to) {
  const [least, most] = limits();
  const width = Math.min(to - from, most - least);
  const start = Math.max(least, Math.min(from, most - width));
  plot.setScale("x", { min: start, max: start + width });
}

function zoom(plot, by, at = 0.5) {
  const { min, max } = plot.scales.x;
  const centre = min + (max - min) * at;
  setRange(plot, centre - (centre - min) * by, centre + (max - centre) * by);
}

/** Where in the view, from 0 to 1, the span is that is shown in words; the middle without one. */
function where(plot) {
  if (!under.value) return 0.5;
  const { min, max } = plot.scales.x;
  return Math.max(0, Math.min(1, (under.value.lane.start[under.value.index] - min) / (max - min)));
}

function pan(plot, part) {
  const { min, max } = plot.scales.x;
  setRange(plot, min + (max - min) * part, max + (max - min) * part);
}

function zoomTo(plot, collective) {
  for (const lane of lanes.value) {
    if (computes(lane)) continue;
    const index = lane.item.indexOf(collective);
    if (index < 0) continue;
    under.value = { lane, index };
    const length = Math.max(lane.length[index], 1e-3);
    setRange(plot, lane.start[index] - 8 * length, lane.start[index] + 9 * length);
  }
}

function step(plot, by) {
  const lane = under.value?.lane ?? lanes.value[0];
  if (!lane?.start.length) return;
  const index = under.value ? Math.max(0, Math.min(lane.start.length - 1, under.value.index + by)) : 0;
  under.value = { lane, index };
  const { min, max } = plot.scales.x;
  const at = lane.start[index];
  if (at < min || at > max) setRange(plot, at - (max - min) / 2, at + (max - min) / 2);
}

function changeLane(by) {
  const all = lanes.value;
  const now = under.value ? all.indexOf(under.value.lane) : -1;
  const lane = all[Math.max(0, Math.min(all.length - 1, now + by))];
  const time = under.value ? under.value.lane.start[under.value.index] : 0;
  if (lane?.start.length) under.value = { lane, index: Math.max(0, spanAt(lane, time)) };
}

function makePlots(box, schedule) {
  const names = schedule.lanes.map((lane) => lane.name);
  const [from, to] = limits();
  const sync = uPlot.sync("time");
  let isEcho = false;
  const made = [];
  const follow = (self) => {
    if (isEcho) return;
    isEcho = true;
    const { min, max } = self.scales.x;
    for (const other of made) if (other !== self && (other.scales.x.min !== min || other.scales.x.max !== max)) other.setScale("x", { min, max });
    isEcho = false;
  };
  const x = { time: false, min: from, max: to };
  const time = { ...axis(), size: TIMES, values: (_, splits) => ticks(splits) };
  const common = { width: box.clientWidth, legend: { show: false }, cursor: { y: false, sync: { key: sync.key }, drag: { x: true, y: false } }, padding: [8, 16, 0, 0] };
  const top = new uPlot({
    ...common,
    height: schedule.lanes.length * LANE + 8 + TIMES,
    scales: { x, y: { dir: -1, range: [0, schedule.lanes.length] } },
    axes: [time, { ...axis(), size: LEFT, grid: { show: false }, splits: () => names.map((_, row) => row + 0.5), values: () => names }],
    series: [{}, { paths: () => null, points: { show: false } }],
    hooks: { draw: [drawLanes], setScale: [(self, key) => key === "x" && follow(self)], setCursor: [onCursor] },
  }, [[from, to], [0, schedule.lanes.length]], box);
  made.push(top);
  const { memory } = schedule;
  if (memory.time.length) made.push(memoryPlot(box, schedule, common, x, time, follow));
  for (const plot of made) {
    plot.over.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.shiftKey) pan(plot, Math.sign(event.deltaY || event.deltaX) * 0.15);
      else zoom(plot, event.deltaY < 0 ? 0.75 : 1 / 0.75, plot.cursor.left / plot.over.clientWidth);
    }, { passive: false });
    plot.over.addEventListener("dblclick", () => setRange(plot, ...limits()));
  }
  top.over.addEventListener("click", () => under.value && select(under.value.lane, under.value.index));
  return made;
}

function memoryPlot(box, schedule, common, x, time, follow) {
  const { memory, limit } = schedule;
  const line = colourOf("compute");
  const most = Math.max(...memory.bytes);
  const splits = (_, __, min, max) => {
    const step = 2 ** Math.max(0, Math.ceil(Math.log2((max - min) / 5)));
    const found = [];
    for (let at = Math.ceil(min / step) * step; at <= max; at += step) found.push(at);
    return found;
  };
  const isNear = limit && limit < 2 * most;
  const data = [memory.time, memory.bytes];
  const series = [{}, { stroke: line, fill: colourOf("compute", "outlineColor"), width: 1, paths: uPlot.paths.stepped({ align: 1 }), points: { show: false } }];
  if (isNear) {
    data.push(memory.time.map(() => limit));
    series.push({ stroke: colourOf("worse"), dash: [6, 4], width: 1, points: { show: false } });
  }
  const title = document.createElement("h2");
  title.textContent = "Memory per device";
  box.append(title);
  const plot = new uPlot({
    ...common,
    height: 190,
    scales: { x: { ...x }, y: { range: [0, Math.max(most, isNear ? limit : 0) * 1.05] } },
    axes: [time, { ...axis(), size: LEFT, splits, values: (_, at) => at.map(bytes) }],
    series,
    hooks: { setScale: [(self, key) => key === "x" && follow(self)] },
  }, data, box);
  plot.over.addEventListener("click", () => chooseTime(plot.posToVal(plot.cursor.left, "x")));
  return plot;
}

function onCursor(plot) {
  const { left, top } = plot.cursor;
  if (left < 0 || top < 0 || left === null) return;
  const lane = lanes.value[Math.floor(top / (plot.over.clientHeight / lanes.value.length))];
  if (!lane) return;
  const time = plot.posToVal(left, "x");
  const index = spanAt(lane, time);
  const slack = plot.posToVal(left + 2, "x") - time;
  under.value = index >= 0 && time <= lane.start[index] + lane.length[index] + slack ? { lane, index } : null;
}
