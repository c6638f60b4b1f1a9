import { maxFormFields } from "../limits.ts";

/** The maximum size of a part's headers, which contain the names of its field and its file. */
const maxPartHeaderBytes = 4 * 1024;

const urlEncodedType = /^application\/x-www-form-urlencoded *(?:;|$)/i;
/**
 * Matches the content type only as browsers write it. Anything else is refused, because a lenient
 * parser might accept it and see different parts from those that we count.
 */
const multipartType =
  /^multipart\/form-data *; *(?:charset=[\w-]{1,40} *; *)?boundary=(?:"([\w'()+,./:=?-]{1,70})"|([\w'()+./:=?-]{1,70})) *$/i;

/**
 * The header of a part with the name of its field and, for a file, the name of the file. Browsers
 * write quotes and line breaks in these names as %22, %0D, %0A.
 */
const disposition =
  /^content-disposition: *form-data; *name="([^"\r\n]*)"(?:; *filename="([^"\r\n]*)")? *\r?$/im;
const partType = /^content-type: *([^\r\n]+)$/im;
const headEnd = Buffer.from("\r\n\r\n");

export function parseBoundary(contentType: string): string | null {
  const [, quoted, plain] = multipartType.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
}

/** Parses a form as browsers send it. Returns null for anything else. */
export function parseForm(
  bytes: Buffer<ArrayBuffer>,
  contentType: string,
): FormData | "too-many-fields" | null {
  const boundary = parseBoundary(contentType);
  const separator = boundary === null ? "&" : `--${boundary}`;
  // There is one separator less than fields, or one more than parts.
  const maxSeparators = maxFormFields + (boundary === null ? -1 : 1);
  if (hasMoreThan(maxSeparators, bytes, separator)) return "too-many-fields";
  if (boundary !== null) return parseMultipart(bytes, boundary);
  if (!urlEncodedType.test(contentType)) return null;
  const form = new FormData();
  for (const [name, value] of new URLSearchParams(bytes.toString("utf8"))) form.append(name, value);
  return form;
}

function hasMoreThan(max: number, bytes: Buffer, text: string): boolean {
  let count = 0;
  let at = bytes.indexOf(text);
  while (at !== -1 && count <= max) {
    count += 1;
    at = bytes.indexOf(text, at + text.length);
  }
  return count > max;
}

/**
 * Parses a multipart form (RFC 7578). `Response.formData()` reads the bytes one by one, so a form with
 * large images would block the server.
 */
function parseMultipart(bytes: Buffer<ArrayBuffer>, boundary: string): FormData | null {
  const form = new FormData();
  const first = Buffer.from(`--${boundary}`);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  if (!bytes.subarray(0, first.length).equals(first)) return null;
  let at = first.length;
  while (bytes.toString("latin1", at, at + 2) === "\r\n") {
    const headLength = bytes.subarray(at, at + maxPartHeaderBytes).indexOf(headEnd);
    const bodyAt = at + headLength + headEnd.length;
    const end = bytes.indexOf(delimiter, bodyAt);
    if (headLength === -1 || end === -1) return null;
    if (!append(form, bytes.toString("utf8", at + 2, bodyAt), bytes.subarray(bodyAt, end)))
      return null;
    at = end + delimiter.length;
  }
  return bytes.toString("latin1", at, at + 2) === "--" ? form : null;
}

function append(form: FormData, head: string, body: Buffer<ArrayBuffer>): boolean {
  const [, name, fileName] = disposition.exec(head) ?? [];
  if (name === undefined) return false;
  if (fileName === undefined) form.append(unescapeName(name), body.toString("utf8"));
  else {
    const type = partType.exec(head)?.[1]?.trim() ?? "application/octet-stream";
    form.append(unescapeName(name), new File([body], unescapeName(fileName), { type }));
  }
  return true;
}

const unescapeName = (name: string) =>
  name.replaceAll(/%0A/gi, "\n").replaceAll(/%0D/gi, "\r").replaceAll("%22", '"');
