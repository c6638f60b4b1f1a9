const preferred = ["br", "gzip"] as const;

/** The best compression that the reader's Accept-Encoding allows. */
export function acceptedEncoding(header: string): "br" | "gzip" | "identity" {
  return preferred.find((encoding) => allows(header, encoding)) ?? "identity";
}

function allows(header: string, encoding: string): boolean {
  return header.split(",").some((item) => {
    const [name, quality = "q=1"] = item.split(";").map((part) => part.trim());
    return name === encoding && Number(quality.replace(/^q=/, "")) > 0;
  });
}

/** Whether If-None-Match names the tag. RFC 9110 §13.1.2: weak comparison, a list, or any. */
export function listsTag(header: string | undefined, etag: string): boolean {
  return (header ?? "").split(",").some((tag) => {
    const given = tag.trim();
    return given === "*" || given.replace(/^W\//, "") === etag;
  });
}
