// Pictures that the server draws, as part of the page: so they follow its colours.

/**
 * An SVG text as an element. It was made by a writer that escapes every word, and may run no script here anyway.
 * @returns {any}
 */
export function drawing(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(parsed, true);
}

/** A picture on this page's own paper, cut to what is drawn; it must be in the page already. */
export function fitted(picture, margin = 10) {
  picture.querySelector("rect[width='100%']")?.remove();
  const { x, y, width, height } = picture.getBBox();
  const size = [width + 2 * margin, height + 2 * margin];
  picture.setAttribute("viewBox", [x - margin, y - margin, ...size].join(" "));
  picture.setAttribute("width", size[0]);
  picture.setAttribute("height", size[1]);
}

/**
 * A PNG in base64 as a picture with a label, for a place so many pixels wide: a strict page shows no images but its own
 * files, so it is painted.
 */
export function painted(base64, label, wide) {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  /** @type {ImageBitmapOptions} */
  const fine = { resizeWidth: Math.round(wide * devicePixelRatio), resizeQuality: "high" };
  createImageBitmap(new Blob([bytes], { type: "image/png" }), fine).then((image) => {
    Object.assign(canvas, { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    canvas.dataset.painted = "yes";
  });
  return canvas;
}

/** Let the browser keep a text as a file. */
export function keep(text, name, type = "image/svg+xml") {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read it a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
