const preferred = ["br", "gzip"] as const;
type Encoding = (typeof preferred)[number] | "identity";

/** All browsers together send a handful of different headers, so each is read once. */
const known = new Map<string, Encoding>();
const maxKnown = 100;

/** The best compression that the reader's Accept-Encoding allows. */
export function acceptedEncoding(header: string): Encoding {
  const seen = known.get(header);
  if (seen) return seen;
  const encoding = preferred.find((candidate) => allows(header, candidate)) ?? "identity";
  if (known.size < maxKnown) known.set(header, encoding);
  return encoding;
}

function allows(header: string, encoding: string): boolean {
  return header.split(",").some((item) => {
    const [name, quality = "q=1"] = item.split(";").map((part) => part.trim());
    return name === encoding && Number(quality.replace(/^q=/, "")) > 0;
  });
}
