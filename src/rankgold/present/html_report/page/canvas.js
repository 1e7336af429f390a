// A canvas and its size in, what draws on it out: sharp on every screen, with the colours and the font of the page.

export function prepared(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  Object.assign(canvas, { width: width * scale, height: height * scale });
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const style = getComputedStyle(canvas);
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.font = `11px ${style.fontFamily}`;
  // The property itself is a colour for light and one for dark; the colour of an element is the one that counts now.
  const colour = (name) => {
    canvas.style.color = `var(${name})`;
    return style.color;
  };
  return { context, colour };
}
