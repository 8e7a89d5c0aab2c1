// All that is sent, to be sorted and filtered.

import { signal } from "@preact/signals";
import { createColumnHelper, createFilteredRowModel, createSortedRowModel, columnFilteringFeature, rowSortingFeature, sortFn_alphanumeric, sortFn_basic, tableFeatures, useTable } from "@tanstack/preact-table";
import { html } from "htm/preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { bytes, count, seconds } from "../format.js";
import { foldEqual } from "../model.js";
import { Axes, Bar, KIND, times } from "../parts.js";
import { filters, plan, selectCollective, selection, view } from "../state.js";
import { rowSize, useVirtual } from "../virtual.js";

const folds = signal(true);
const words = signal("");
const active = signal(-1);

const features = tableFeatures({
  columnFilteringFeature,
  rowSortingFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
});
const helper = createColumnHelper();
const exactly = (row, id, wanted) => row.getValue(id) === wanted;
const contains = (row, id, wanted) => String(row.getValue(id)).toLowerCase().includes(wanted);
const within = (row, id, wanted) => row.original.place === wanted;

const COLUMNS = helper.columns([
  helper.accessor("kind", { header: "kind", filterFn: exactly, sortFn: "alphanumeric" }),
  helper.accessor("axes", { header: "axes", filterFn: exactly, sortFn: "alphanumeric" }),
  helper.accessor("times", { header: "times", sortFn: "basic", sortDescFirst: true }),
  helper.accessor("bytes", { header: "bytes sent", sortFn: "basic", sortDescFirst: true }),
  helper.accessor("seconds", { header: "time", sortFn: "basic", sortDescFirst: true }),
  helper.accessor("where", { header: "where", filterFn: within, sortFn: "alphanumeric" }),
  helper.accessor("cause", { header: "cause", sortFn: "alphanumeric" }),
  helper.accessor("words", { header: "words", filterFn: contains }),
]);
const TIMED = "seconds";
const shownColumns = () => COLUMNS.filter((column) => column.accessorKey !== "words" && (column.accessorKey !== TIMED || plan.value.data.schedule));

/** The axes of a collective as a text, by which it is filtered; as the totals have them. */
export const axesText = (axes) => (axes === null ? "irregular" : axes.join(" "));

function tableRows(current, isFolded) {
  const groups = isFolded ? foldEqual(current) : current.collectives.map((_, index) => [index]);
  return groups.map((indices) => {
    const one = current.collectives[indices[0]];
    const all = indices.map((index) => current.collectives[index]);
    const path = current.places[indices[0]];
    const label = one.op >= 0 ? current.program.opLabel(one.op) : one.location;
    const where = [...path, label].join(" / ");
    return {
      indices,
      one,
      kind: one.kind,
      axes: axesText(one.axes),
      times: all.reduce((sum, each) => sum + (each.times ?? 1), 0),
      bytes: all.reduce((sum, each) => sum + each.bytes_sent, 0),
      seconds: all.reduce((sum, each) => sum + (each.seconds ?? 0) * (each.times ?? 1), 0),
      where,
      place: (path[0] ?? label).replace(/\d+/g, "#"),
      cause: one.cause,
      words: `${one.id} ${KIND(one.kind)} ${one.kind} ${axesText(one.axes)} ${where} ${one.cause} ${one.value} ${one.position}`,
    };
  });
}

function facet(rows, key) {
  const found = new Map();
  for (const row of rows) found.set(row[key], (found.get(row[key]) ?? 0) + row.indices.length);
  return [...found].sort((a, b) => b[1] - a[1]);
}

function Choice({ name, id, options, write }) {
  const chosen = filters.value[id];
  const choose = (event) => { filters.value = { ...filters.value, [id]: event.target.value }; };
  return html`<label>${name} <select value=${chosen} onChange=${choose}>
    <option value="">all</option>
    ${options.map(([value, number]) => html`<option key=${value} value=${value} selected=${value === chosen}>${write(value)} (${number})</option>`)}
  </select></label>`;
}

export function CollectivesView() {
  const box = useRef(null);
  const current = plan.value;
  const data = useMemo(() => tableRows(current, folds.value), [current, folds.value]);
  const { kind, axes, place } = filters.value;
  const columnFilters = useMemo(() => [["kind", kind], ["axes", axes], ["where", place], ["words", words.value.trim().toLowerCase()]]
    .filter(([, value]) => value).map(([id, value]) => ({ id, value })), [kind, axes, place, words.value]);
  const table = useTable({ features, columns: COLUMNS, data, initialState: { sorting: [{ id: "bytes", desc: true }] }, state: { columnFilters } });
  const rows = table.getRowModel().rows;
  const virtual = useVirtual({ count: rows.length, element: () => box.current, size: rowSize.value });
  const whole = current.data.bytes_sent || 1;
  const most = rows.reduce((all, row) => Math.max(all, row.original.bytes), 0) || 1;
  const columns = shownColumns();
  const chosen = selection.value.collective;
  useEffect(() => {
    const index = rows.findIndex((row) => row.original.indices.includes(chosen));
    if (index >= 0 && chosen >= 0) virtual.scrollToIndex(index, { align: "auto" });
  }, [chosen, rows.length]);
  const shown = rows.reduce((sum, row) => sum + row.original.bytes, 0);
  const number = rows.reduce((sum, row) => sum + row.original.times, 0);
  const move = (index) => {
    active.value = index;
    if (index >= 0) {
      virtual.scrollToIndex(index, { align: "auto" });
      selectCollective(rows[index].original.indices[0]);
    }
  };
  const onKey = (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -rows.length, End: rows.length };
    if (event.target !== box.current) return;
    if (event.key in steps && rows.length) move(Math.max(0, Math.min(rows.length - 1, active.value + steps[event.key])));
    else if (event.key === "Enter" && active.value >= 0) view.value = "program";
    else return;
    event.preventDefault();
  };
  return html`<div class="collectives">
    <div class="tools">
      <label>Find <input type="search" id="find" value=${words.value} onInput=${(event) => { words.value = event.target.value; }} placeholder="place, cause, value ( / )" /></label>
      <${Choice} name="Kind" id="kind" options=${facet(data, "kind")} write=${KIND} />
      <${Choice} name="Axes" id="axes" options=${facet(data, "axes")} write=${(text) => text} />
      <${Choice} name="Place" id="place" options=${facet(data, "place")} write=${(text) => text} />
      <label><input type="checkbox" checked=${folds.value} onChange=${(event) => { folds.value = event.target.checked; }} /> fold equal layers</label>
      <button onClick=${() => copyTable(columns, rows)}>Copy as TSV</button>
    </div>
    <p class="quiet line" role="status">${count(rows.length)} rows, ${count(number)} collectives, ${bytes(shown)} of ${bytes(current.data.bytes_sent)}</p>
    <div class="grid scrolls" ref=${box} role="grid" aria-label="Collectives" aria-rowcount=${rows.length + 1} tabindex="0" onKeyDown=${onKey}>
      <div role="row" class="row head">${columns.map((column) => html`<${Head} key=${column.accessorKey} column=${table.getColumn(column.accessorKey)} />`)}</div>
      ${rows.length === 0 && html`<p class="line quiet">${data.length ? "No collective is left by these filters." : "Nothing is sent."}</p>`}
      <div class="space" role="rowgroup" style=${{ height: `${virtual.getTotalSize()}px` }}>
        ${virtual.getVirtualItems().map((item) => rows[item.index] && html`<${Row} key=${rows[item.index].id} row=${rows[item.index].original} index=${item.index} top=${item.start} part=${rows[item.index].original.bytes / most} columns=${columns} chosen=${chosen} />`)}
      </div>
    </div>
  </div>`;
}

function Head({ column }) {
  const sorted = column.getIsSorted();
  const said = { asc: "ascending", desc: "descending" }[sorted] ?? "none";
  return html`<span role="columnheader" aria-sort=${said} class=${`cell ${column.id}`}>
    <button onClick=${() => column.toggleSorting()}>${column.columnDef.header}${sorted ? (sorted === "asc" ? " ▴" : " ▾") : ""}</button></span>`;
}

/** How many equal collectives a row stands for. */
function placesOf({ indices }) {
  return indices.reduce((sum, index) => sum + plan.value.collectives[index].places, 0);
}

function Row({ row, index, top, part, columns, chosen }) {
  const { one, indices } = row;
  const cells = {
    kind: () => html`${KIND(one.kind)}${one.is_asynchronous ? html` <span class="mark">async</span>` : ""}`,
    axes: () => html`<${Axes} axes=${one.axes} />`,
    times: () => (indices.length > 1 ? `${count(row.times)}${one.is_in_loop ? " ↻" : ""}` : times(one)),
    bytes: () => html`<${Bar} part=${part} axes=${one.axes} /><span>${bytes(row.bytes)}</span>`,
    seconds: () => seconds(row.seconds),
    where: () => html`<bdi title=${placesOf(row) > 1 ? `${row.where} and ${placesOf(row) - 1} more` : row.where}>${row.where}</bdi>`,
    cause: () => html`<span title=${row.cause}>${row.cause}</span>`,
  };
  const isChosen = indices.includes(chosen);
  return html`<div role="row" aria-rowindex=${index + 2} aria-selected=${String(isChosen)} class=${`row ${isChosen ? "chosen" : ""}`}
    style=${{ transform: `translateY(${top}px)` }}
    onClick=${() => { active.value = index; selectCollective(indices[0]); }} onDblClick=${() => { view.value = "program"; }}>
    ${columns.map((column) => html`<span key=${column.accessorKey} role="gridcell" class=${`cell ${column.accessorKey}`}>${cells[column.accessorKey]()}</span>`)}
  </div>`;
}

function copyTable(columns, rows) {
  const cell = (value) => String(value).replaceAll(/[\t\n]/g, " ");
  const lines = [columns.map((column) => column.header), ...rows.map((row) => columns.map((column) => cell(row.original[column.accessorKey])))];
  navigator.clipboard?.writeText(lines.map((line) => line.join("\t")).join("\n"));
}
