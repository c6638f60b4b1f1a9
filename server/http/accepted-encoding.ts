const preferredEncodings = ["br", "gzip"] as const;
type Encoding = (typeof preferredEncodings)[number] | "identity";

/** Browsers send only a handful of different headers, so each header is parsed once. */
const encodingByHeader = new Map<string, Encoding>();
const maxCachedHeaders = 100;

/** Returns the best encoding that the Accept-Encoding header allows. */
export function chooseEncoding(header: string): Encoding {
  const cached = encodingByHeader.get(header);
  if (cached) return cached;
  const encoding = preferredEncodings.find((candidate) => allows(header, candidate)) ?? "identity";
  if (encodingByHeader.size < maxCachedHeaders) encodingByHeader.set(header, encoding);
  return encoding;
}

function allows(header: string, encoding: string): boolean {
  return header.split(",").some((item) => {
    const [name, quality = "q=1"] = item.split(";").map((part) => part.trim());
    return name === encoding && Number(quality.replace(/^q=/, "")) > 0;
  });
}
