/**
 * The maximum number of scans of a JPEG. A progressive JPEG usually has ten. Each scan takes up to as
 * long as decoding the image once, even if it is empty, and the library's timeout does not interrupt
 * it.
 */
const maxScans = 100;

const startOfImage = 0xd8;
const endOfImage = 0xd9;
const startOfScan = 0xda;

/** Markers below 0xC0, and those from 0xD0 to 0xD8, stand alone. All others begin a segment. */
const beginsSegment = (marker: number) =>
  marker >= 0xc0 && (marker < 0xd0 || marker > startOfImage);

/** Whether these are the bytes of a JPEG with more scans than any program for photos writes. */
export function hasTooManyScans({ buffer, byteOffset, byteLength }: Uint8Array): boolean {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return false;
  let scans = 0;
  // Decoders skip bytes that belong to no segment, as they skip the data of a scan they have read.
  for (let at = bytes.indexOf(0xff, 2); at !== -1; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1] ?? endOfImage;
    if (marker === endOfImage) return false;
    if (marker === startOfScan) scans += 1;
    if (scans > maxScans) return true;
    // 0xFF before a marker is only padding.
    if (marker === 0xff) at += 1;
    else if (beginsSegment(marker) && at + 4 <= bytes.length) at += 2 + bytes.readUInt16BE(at + 2);
    else at += 2;
  }
  return false;
}
