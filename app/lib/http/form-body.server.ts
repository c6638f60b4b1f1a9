import { createIncomingBodies, defaultBodyLimits } from "./incoming-bodies.server.ts";

/**
 * The maximum size of the text fields of a form. This is enough for the longest text that our forms
 * allow, in any script: an encoded letter may take nine bytes.
 */
export const maxTextBytes = 256 * 1024;
/**
 * Our longest form has about twenty fields. Parsing a field costs far more than receiving its
 * bytes, so fields are counted before they are parsed.
 */
export const maxFormFields = 100;
// Browsers and proxies send pieces of several kilobytes. Receiving a piece costs the same
// regardless of its size, so after the first `uncheckedPieces` a body is refused if its pieces are
// smaller on average than `minAveragePieceBytes`.
const uncheckedPieces = 256;
const minAveragePieceBytes = 64;
/** The maximum size of a part's headers, which contain the names of its field and its file. */
const maxPartHeaderBytes = 4 * 1024;

const headEnd = Buffer.from("\r\n\r\n");
const ampersand = 0x26;

/**
 * Matches the content type as browsers write it. Anything else is refused, because a lenient parser
 * might accept it and see different parts from those that we count.
 */
const multipartType =
  /^multipart\/form-data *; *(?:charset=[\w-]{1,40} *; *)?boundary=(?:"([\w'()+,./:=?-]{1,70})"|([\w'()+./:=?-]{1,70})) *$/i;

/** Returns the boundary of a multipart form, or null for any other type. */
export function parseBoundary(contentType: string): string | null {
  const [, quoted, plain] = multipartType.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
}

/**
 * Inspects the raw bytes of a form as they arrive, before they are parsed. `isRefused` becomes true
 * if the bytes contain too many fields, a part whose headers are too long, or parts that cannot be
 * separated. Counting takes time in proportion to the number of bytes.
 */
export function createFieldCounter(contentType: string) {
  const boundary = parseBoundary(contentType);
  const delimiter = Buffer.from(`--${boundary}`);
  let fields = 0;
  let isRefused = boundary === null && /multipart/i.test(contentType);
  /**
   * The end of the last piece, which may contain the beginning of a delimiter or of a part's
   * headers.
   */
  let rest: Buffer = Buffer.alloc(0);

  function countParts(piece: Buffer): void {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let from = 0;
    while (!isRefused) {
      const at = bytes.indexOf(delimiter, from);
      if (at === -1) {
        rest = bytes.subarray(Math.max(from, bytes.length - delimiter.length + 1));
        return;
      }
      const start = at + delimiter.length;
      const head = bytes.subarray(start, start + maxPartHeaderBytes);
      const isLast = head[0] === 0x2d && head[1] === 0x2d;
      const isComplete = head.length === maxPartHeaderBytes || head.includes(headEnd);
      if (!isLast && !isComplete) {
        rest = bytes.subarray(at);
        return;
      }
      fields += 1;
      isRefused = fields > maxFormFields + 1 || (!isLast && !head.includes(headEnd));
      from = start;
    }
  }

  function countPairs(piece: Buffer): void {
    let at = piece.indexOf(ampersand);
    while (at !== -1 && !isRefused) {
      fields += 1;
      isRefused = fields >= maxFormFields;
      at = piece.indexOf(ampersand, at + 1);
    }
  }

  return {
    get isRefused() {
      return isRefused;
    },
    add(piece: Uint8Array): void {
      if (isRefused) return;
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      if (boundary === null) countPairs(bytes);
      else countParts(bytes);
    },
  };
}

const incomingBodies = createIncomingBodies(defaultBodyLimits);

type ReceiveOptions = {
  type: string;
  /** The maximum number of bytes that are held in memory. */
  room: number;
  /** The maximum number of bytes that are read. Those that exceed `room` are discarded. */
  maxReadBytes: number;
  address: string;
};

/**
 * A body that was read to its end. If the kind is not "whole", `bytes` contains only the beginning.
 * Call `end` when the bytes are no longer needed.
 */
type ReceivedBody = {
  kind: "whole" | "too-large" | "no-memory";
  bytes: Buffer<ArrayBuffer>;
  end(): void;
};

/**
 * A body that was not read to its end, with the reason for a person and the status of the response.
 */
type RefusedBody = {
  kind: "refused";
  status: 400 | 413 | 429 | 503;
  statusText: string;
  sentence: string;
};

const refusal = (
  status: RefusedBody["status"],
  statusText: string,
  sentence: string,
): RefusedBody => ({
  kind: "refused",
  status,
  statusText,
  sentence,
});

const tooLarge = refusal(413, "Content Too Large", "This is larger than our forms allow.");
const tooManyFields = refusal(
  413,
  "Too Many Form Fields",
  "This has more fields than our forms have.",
);
const tooManyPieces = refusal(400, "Bad Request", "The form arrived in too many small pieces.");
const incomplete = refusal(
  400,
  "Bad Request",
  "The form did not arrive completely. Please send it again.",
);
const tooManyOfVisitor = refusal(
  429,
  "Too Many Requests",
  "Too many forms are arriving from your internet connection. Please wait a minute and send yours again.",
);
const tooManyBodies = refusal(
  503,
  "Service Unavailable",
  "Too many forms are arriving right now. Please wait a minute and send yours again.",
);

/**
 * Reads a body within the limits for memory and fields. If a body has to free memory for others,
 * its first bytes stay in memory, because they contain the text fields of a form.
 */
export async function receiveBody(
  request: Request,
  { type, room, maxReadBytes, address }: ReceiveOptions,
): Promise<ReceivedBody | RefusedBody> {
  if (Number(request.headers.get("content-length") ?? 0) > maxReadBytes) return tooLarge;
  const chunks: Uint8Array[] = [];
  let [pieces, readBytes, heldBytes, maxHeldBytes] = [0, 0, 0, room];
  let hasMemory = true;
  const fields = createFieldCounter(type);
  /** Frees all but the first bytes, so that other bodies have memory. */
  const freeMemory = () => {
    while (heldBytes > maxTextBytes) {
      const freedBytes = chunks.pop()?.length ?? 0;
      heldBytes -= freedBytes;
      incoming?.release(freedBytes);
    }
    maxHeldBytes = heldBytes;
    hasMemory = false;
  };
  if (!incomingBodies.hasRoomFor(address)) return tooManyOfVisitor;
  const incoming = incomingBodies.begin(address, freeMemory);
  if (!incoming) return tooManyBodies;
  let result: ReceivedBody | RefusedBody | null = null;
  try {
    for await (const chunk of request.body ?? []) {
      pieces += 1;
      readBytes += chunk.length;
      if (readBytes > maxReadBytes) return tooLarge;
      if (pieces > uncheckedPieces && readBytes < pieces * minAveragePieceBytes)
        return tooManyPieces;
      fields.add(chunk);
      if (fields.isRefused) return tooManyFields;
      const piece = chunk.subarray(0, maxHeldBytes - heldBytes);
      if (incoming.add(piece.length)) {
        heldBytes += piece.length;
        if (piece.length > 0) chunks.push(piece);
      } else freeMemory();
    }
    incoming.complete();
    const kind = heldBytes === readBytes ? "whole" : hasMemory ? "too-large" : "no-memory";
    result = { kind, bytes: Buffer.concat(chunks), end: incoming.end };
    return result;
  } catch {
    // The sender closed the connection, or sent something that is not HTTP.
    return incomplete;
  } finally {
    if (result === null) incoming.end();
  }
}
