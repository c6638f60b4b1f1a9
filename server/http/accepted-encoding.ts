const preferred = ["br", "gzip"] as const;
type Encoding = (typeof preferred)[number] | "identity";

/** Browsers send only a handful of different headers, so each header is parsed once. */
const parsed = new Map<string, Encoding>();
const maxParsed = 100;

/** Returns the best encoding that the Accept-Encoding header allows. */
export function acceptedEncoding(header: string): Encoding {
  const cached = parsed.get(header);
  if (cached) return cached;
  const encoding = preferred.find((candidate) => allows(header, candidate)) ?? "identity";
  if (parsed.size < maxParsed) parsed.set(header, encoding);
  return encoding;
}

function allows(header: string, encoding: string): boolean {
  return header.split(",").some((item) => {
    const [name, quality = "q=1"] = item.split(";").map((part) => part.trim());
    return name === encoding && Number(quality.replace(/^q=/, "")) > 0;
  });
}
