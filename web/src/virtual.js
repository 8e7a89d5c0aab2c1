// Long lists: only the rows that are in view are in the document.

import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from "@tanstack/virtual-core";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

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
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
