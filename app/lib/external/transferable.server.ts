/**
 * Returns the bytes in an ArrayBuffer that contains nothing else, so that it can be transferred to
 * a worker. A small Buffer shares its ArrayBuffer with other Buffers, so its bytes are copied.
 */
export function toTransferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes);
}
