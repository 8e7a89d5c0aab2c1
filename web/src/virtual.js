// Long lists: only the rows that are in view are in the document.

import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from "@tanstack/virtual-core";
import { computed, signal } from "@preact/signals";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

const NARROW = matchMedia("(max-width: 640px)");
const isNarrow = signal(NARROW.matches);
NARROW.addEventListener("change", () => { isNarrow.value = NARROW.matches; });

/** Pixels of a row: two lines of text where the window is narrow, as the style has it. */
export const rowSize = computed(() => (isNarrow.value ? 46 : 25));

/** @param {{count: number, element: () => Element | null, size: number}} options */
export function useVirtual({ count, element, size }) {
  const [, draw] = useReducer((n) => n + 1, 0);
  const options = {
    count,
    getScrollElement: element,
    estimateSize: () => size,
    overscan: 8,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => draw(0),
  };
  const [virtualizer] = useState(() => new Virtualizer(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer.measure(), [size]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
