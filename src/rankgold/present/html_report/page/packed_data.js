// Packed text of the file in, values with typed arrays out. The format is described in plain_data.py.

const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i4: Int32Array, f8: Float64Array };

export async function unpacked(name) {
  const bytes = await unzipped(name);
  if (bytes === null) return null;
  const headerSize = new DataView(bytes.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headerSize)));
  let position = 4 + headerSize;
  const columns = header.columns.map(([type, length]) => {
    const size = TYPES[type].BYTES_PER_ELEMENT;
    const column = joinedPlanes(bytes.subarray(position, position + size * length), length, TYPES[type]);
    position += size * length;
    return column;
  });
  return withColumns(header.content, columns);
}

export async function unzipped(name) {
  const element = document.getElementById(`data-${name}`);
  if (element === null) return null;
  const text = atob(element.textContent);
  element.remove();
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Numbers are stored as all their first bytes, then all their second bytes, and so on.
function joinedPlanes(planes, length, Type) {
  const size = Type.BYTES_PER_ELEMENT;
  if (size === 1) return planes.slice();
  const bytes = new Uint8Array(length * size);
  for (let plane = 0; plane < size; plane += 1) {
    const start = plane * length;
    for (let i = 0, at = plane; i < length; i += 1, at += size) bytes[at] = planes[start + i];
  }
  return new Type(bytes.buffer);
}

function withColumns(value, columns) {
  if (Array.isArray(value)) {
    // Lists of texts are long and hold no columns.
    return typeof value[0] === "string" ? value : value.map((item) => withColumns(item, columns));
  }
  if (value === null || typeof value !== "object") return value;
  if (typeof value.$ === "number") return columns[value.$];
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withColumns(item, columns)]));
}
