/** An email as a mail program reads it. */
export type ReceivedMail = {
  headers: Map<string, string>;
  text: string;
  html: string;
  /** The images that are part of the email. */
  images: Buffer[];
};

/** Parses an email that was received by SMTP: its headers, and its parts, decoded. */
export function parseMail(content: string): ReceivedMail {
  const parts = splitParts(content);
  const readPart = (type: string) => {
    const part = parts.find((each) => each.headers.get("content-type")?.startsWith(type));
    return part ? decode(part.body, part.headers.get("content-transfer-encoding") ?? "7bit") : "";
  };
  const images = parts
    .filter((each) => each.headers.get("content-type")?.startsWith("image/"))
    .map(({ body }) => Buffer.from(body, "base64"));
  const { headers } = splitHeaders(content);
  return { headers, text: readPart("text/plain"), html: readPart("text/html"), images };
}

type Part = ReturnType<typeof splitHeaders>;

/** A part can have parts itself: HTML is in one part with its images. */
function splitParts(content: string): Part[] {
  const part = splitHeaders(content);
  const boundary = /boundary="?([^";]+)/.exec(part.headers.get("content-type") ?? "")?.[1];
  if (!boundary) return [part];
  const inner = part.body.split(`--${boundary}`).slice(1, -1);
  return inner.flatMap((each) => splitParts(each.trimStart()));
}

function splitHeaders(content: string) {
  const end = content.indexOf("\r\n\r\n");
  // A line that begins with a space continues the line before it.
  const lines = content
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { headers, body: content.slice(end + 4) };
}

function decode(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body.replaceAll("\r\n", "\n");
  const bytes = body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\r\n", "\n");
}
