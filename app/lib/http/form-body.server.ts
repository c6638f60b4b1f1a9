import { createIncomingBodies, defaultBodyLimits } from "./incoming-bodies.server.ts";

/** Room for the longest text of any form in any script: a letter may take nine bytes on the way. */
export const maxTextBytes = 256 * 1024;
/**
 * Our longest form has about twenty fields. Each field costs far more to parse than its bytes, so
 * they are counted first.
 */
export const maxFormFields = 100;
/**
 * Browsers and proxies send pieces of kilobytes. Receiving a piece costs the same however small it
 * is, so after the first ones a body of tiny pieces is refused.
 */
const freePieces = 256;
const minPieceBytes = 64;
/** The headers of a part hold a field's name and a file's name. */
const maxPartHeaderBytes = 4 * 1024;

const partEnd = Buffer.from("\r\n\r\n");
const ampersand = 0x26;

/**
 * As browsers write it. Whatever else a lenient parser might accept would let it see other parts
 * than those we count, so it is refused.
 */
const multipartType =
  /^multipart\/form-data *; *(?:charset=[\w-]{1,40} *; *)?boundary=(?:"([\w'()+,./:=?-]{1,70})"|([\w'()+./:=?-]{1,70})) *$/i;

/** The boundary of a multipart form; null for any other type. */
export function parseBoundary(contentType: string): string | null {
  const [, quoted, plain] = multipartType.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
}

/**
 * Looks at a form's raw bytes as they arrive, before anything parses them. `isRefused` becomes true
 * when they hold more fields than any form of ours, a part with endless headers, or parts that
 * cannot be told apart. Takes time in proportion to the bytes.
 */
export function createFieldCounter(contentType: string) {
  const boundary = parseBoundary(contentType);
  const delimiter = Buffer.from(`--${boundary}`);
  let fields = 0;
  let isRefused = boundary === null && /multipart/i.test(contentType);
  /** What a delimiter or the headers of a part, cut by the end of a piece, may begin with. */
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
      const isWhole = head.length === maxPartHeaderBytes || head.includes(partEnd);
      if (!isLast && !isWhole) {
        rest = bytes.subarray(at);
        return;
      }
      fields += 1;
      isRefused = fields > maxFormFields + 1 || (!isLast && !head.includes(partEnd));
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

const arrivals = createIncomingBodies(defaultBodyLimits);

type Receiving = {
  type: string;
  /** The number of bytes that are kept. */
  room: number;
  /** The number of bytes that are read: those that do not fit into the room are discarded. */
  maxReadBytes: number;
  address: string;
};

/**
 * `end` is to be called when the bytes are no longer needed. Of a body that is cut, the first bytes
 * are there.
 */
type ReceivedBody = {
  kind: "whole" | "too-large" | "no-memory";
  bytes: Buffer<ArrayBuffer>;
  end(): void;
};

/** A body that was not read to its end: why, for a person and as the status of the answer. */
type RefusedBody = {
  kind: "refused";
  status: 400 | 413 | 503;
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

const tooLarge = refusal(413, "Content Too Large", "This is more than a form of ours holds.");
const tooManyFields = refusal(
  413,
  "Too Many Form Fields",
  "This has more fields than a form of ours.",
);
const tooManyPieces = refusal(400, "Bad Request", "The form arrived in too many small pieces.");
const incomplete = refusal(
  400,
  "Bad Request",
  "The form did not arrive completely. Please send it again.",
);
const tooManyBodies = refusal(
  503,
  "Service Unavailable",
  "Too many forms are arriving just now. Please wait a minute and send yours again.",
);

/**
 * Reads a body within the limits on memory and fields. A body that has to make room for others
 * keeps its first bytes, which hold the texts of a form.
 */
export async function receiveBody(
  request: Request,
  { type, room, maxReadBytes, address }: Receiving,
): Promise<ReceivedBody | RefusedBody> {
  if (Number(request.headers.get("content-length") ?? 0) > maxReadBytes) return tooLarge;
  const chunks: Uint8Array[] = [];
  let [pieces, read, kept, keepUpTo] = [0, 0, 0, room];
  let hasMemory = true;
  const fields = createFieldCounter(type);
  /** What is left are the first bytes, so that others have room for theirs. */
  const giveUpMemory = () => {
    while (kept > maxTextBytes) {
      const last = chunks.pop()?.length ?? 0;
      kept -= last;
      arrival?.release(last);
    }
    keepUpTo = kept;
    hasMemory = false;
  };
  const arrival = arrivals.begin(address, giveUpMemory);
  if (!arrival) return tooManyBodies;
  let result: ReceivedBody | RefusedBody | null = null;
  try {
    for await (const chunk of request.body ?? []) {
      pieces += 1;
      read += chunk.length;
      if (read > maxReadBytes) return tooLarge;
      if (pieces > freePieces && read < pieces * minPieceBytes) return tooManyPieces;
      fields.add(chunk);
      if (fields.isRefused) return tooManyFields;
      const piece = chunk.subarray(0, keepUpTo - kept);
      if (arrival.add(piece.length)) {
        kept += piece.length;
        if (piece.length > 0) chunks.push(piece);
      } else giveUpMemory();
    }
    arrival.complete();
    const kind = kept === read ? "whole" : hasMemory ? "too-large" : "no-memory";
    result = { kind, bytes: Buffer.concat(chunks), end: arrival.end };
    return result;
  } catch {
    // The sender has left, or sent something that is not HTTP.
    return incomplete;
  } finally {
    if (result === null) arrival.end();
  }
}
