// Looking closer at a drawing: larger and smaller with buttons, and pulled about with the mouse.

import { every } from "./dom.js";

const STEP = 1.25;
const LEAST = 0.4;
const MOST = 5;

/** How large drawings are shown; null is as large as fits. */
let zoom = null;

/** Larger (1), smaller (-1), or as it fits (0). */
export function changeZoom(direction) {
  zoom = direction ? Math.min(MOST, Math.max(LEAST, (zoom ?? 1) * STEP ** direction)) : null;
  showZoom();
}

/** Show what is drawn at the size that was chosen. */
export function showZoom() {
  for (const picture of every(".drawing svg")) {
    picture.style.inlineSize = zoom ? `${picture.width.baseVal.valueInSpecifiedUnits * zoom}px` : "";
    picture.style.maxInlineSize = zoom ? "none" : "";
    picture.style.blockSize = zoom ? "auto" : "";
  }
}

/** Pull a drawing that is larger than its box. */
export function letPull(box) {
  let from = null;
  box.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button) return;
    from = { x: event.clientX + box.scrollLeft, y: event.clientY + box.scrollTop };
  });
  box.addEventListener("pointermove", (event) => {
    if (!from) return;
    box.scrollTo(from.x - event.clientX, from.y - event.clientY);
  });
  for (const end of ["pointerup", "pointerleave"]) box.addEventListener(end, () => (from = null));
}
