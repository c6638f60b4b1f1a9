/**
 * The headers of a part contain the name of its field and, for a file, the name of the file.
 * Browsers write quotes and line breaks as %22, %0D, %0A.
 */
const disposition =
  /^content-disposition: *form-data; *name="([^"\r\n]*)"(?:; *filename="([^"\r\n]*)")? *\r?$/im;
const contentType = /^content-type: *([^\r\n]+)$/im;
const headEnd = Buffer.from("\r\n\r\n");

/**
 * Parses a multipart form (RFC 7578) as browsers send it. Returns null for anything else. We do not
 * use `Response.formData()` for this, because it reads the bytes one by one, and a form with large
 * images would block the server.
 */
export function readMultipart(bytes: Buffer<ArrayBuffer>, boundary: string): FormData | null {
  const form = new FormData();
  const first = Buffer.from(`--${boundary}`);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  if (!bytes.subarray(0, first.length).equals(first)) return null;
  let at = first.length;
  while (bytes.toString("latin1", at, at + 2) === "\r\n") {
    const bodyAt = bytes.indexOf(headEnd, at) + headEnd.length;
    const end = bytes.indexOf(delimiter, bodyAt);
    if (bodyAt < headEnd.length || end === -1) return null;
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
    const type = contentType.exec(head)?.[1]?.trim() ?? "application/octet-stream";
    form.append(unescapeName(name), new File([body], unescapeName(fileName), { type }));
  }
  return true;
}

const unescapeName = (name: string) =>
  name.replaceAll(/%0A/gi, "\n").replaceAll(/%0D/gi, "\r").replaceAll("%22", '"');
