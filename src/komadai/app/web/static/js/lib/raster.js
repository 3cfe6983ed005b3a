// @ts-check
/** Drawings as images of pixels. */

const SCALE = 2; // pixels for a unit of the drawing, so that it is sharp in print, too

/** A drawing as PNG. @param {Blob} svg @returns {Promise<Blob>} */
export async function pngOf(svg) {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const made = await new Promise((/** @type {(made: Blob | null) => void} */ done) =>
      canvas.toBlob(done, "image/png"),
    );
    if (!made) throw new Error("canvas.toBlob gave nothing");
    return made;
  } finally {
    URL.revokeObjectURL(address);
  }
}
