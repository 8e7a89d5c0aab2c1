// The user's source beside the program and the program of each device, linked line by line.

import { html } from "htm/preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { plan, program, selectOp, selection } from "../state.js";
import { useVirtual } from "../virtual.js";

const LINE = 19;

/** Ops that the selected one shares its source line with; itself, if it has none. */
function opsTogether(op) {
  const { source } = program.value.data.ops;
  if (op < 0) return new Set();
  return source[op] < 0 ? new Set([op]) : new Set(source.flatMap((each, other) => (each === source[op] ? [other] : [])));
}

/** The lines of the source that ops come from, in the order of the files. */
function sourceLines() {
  const { sources, ops } = program.value.data;
  const first = new Map();
  ops.source.forEach((source, op) => { if (source >= 0 && !first.has(source)) first.set(source, op); });
  const order = [...first.keys()].sort((a, b) => sources[a][0].localeCompare(sources[b][0]) || sources[a][1] - sources[b][1]);
  return order.map((source, place) => {
    const [file, line, text] = sources[source];
    const isFirst = !place || sources[order[place - 1]][0] !== file;
    return { op: first.get(source), number: line, text, file: isFirst ? file : "" };
  });
}

function programLines() {
  const p = program.value;
  const first = new Map();
  p.data.ops.line.forEach((line, op) => { if (line >= 0 && !first.has(line)) first.set(line, op); });
  return plan.value.lines().map((text, line) => ({ op: first.get(line) ?? -1, number: (p.data.line_numbers?.[line] ?? line) + 1, text }));
}

function deviceLines() {
  const device = plan.value.data.device;
  return device ? device.text.split("\n").map((text, line) => ({ op: device.op[line] ?? -1, number: line + 1, text })) : [];
}

function Column({ title, lines, together, chosen, empty }) {
  const box = useRef(null);
  const virtual = useVirtual({ count: lines.length, element: () => box.current, size: LINE });
  const own = lines.findIndex((line) => line.op === chosen);
  const first = own >= 0 ? own : lines.findIndex((line) => together.has(line.op));
  useEffect(() => { if (first >= 0 && chosen >= 0) virtual.scrollToIndex(first, { align: "auto" }); }, [first, chosen, lines]);
  return html`<section class="code" aria-label=${title}><h3>${title}</h3>
    ${lines.length === 0 && html`<p class="quiet">${empty}</p>`}
    <div class="scrolls mono" ref=${box} tabindex="0"><div class="space" style=${{ height: `${virtual.getTotalSize()}px` }}>
      ${virtual.getVirtualItems().map(({ index, start }) => lines[index] && html`<div key=${index} class=${`code-line ${together.has(lines[index].op) ? "here" : ""}`}
        style=${{ transform: `translateY(${start}px)` }} onClick=${() => lines[index].op >= 0 && selectOp(lines[index].op)}>
        <span class="quiet">${lines[index].number}</span>${lines[index].file && html`<b>${lines[index].file}</b> `}${lines[index].text}</div>`)}
    </div></div></section>`;
}

export function SourceView() {
  const chosen = selection.value.op;
  const together = useMemo(() => opsTogether(chosen), [chosen, program.value]);
  const sources = useMemo(sourceLines, [program.value]);
  const lines = useMemo(programLines, [plan.value]);
  const device = useMemo(deviceLines, [plan.value]);
  return html`<div class="sources">
    <${Column} title="Source" lines=${sources} together=${together} chosen=${chosen} empty="The locations of the program name no file." />
    <${Column} title="Program" lines=${lines} together=${together} chosen=${chosen} empty="The text of the program was left out." />
    <${Column} title="Program of each device" lines=${device} together=${together} chosen=${chosen} empty="It is left out of pages of large programs." />
  </div>`;
}
