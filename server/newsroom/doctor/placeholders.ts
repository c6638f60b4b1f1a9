/** How a comment in a site file asks for something before the site is public. */
const noteStart = "Before launch:";
/** The domains that RFC 2606 reserves for samples. */
const sampleHost = /[\w@.-]{0,100}(?:\.example|\bexample\.(?:com|net|org))\b(?!\.\w)/;
/** The phone numbers that are reserved for fiction. */
const samplePhone = /\b\d{3}-555-01\d\d\b/;

type Placeholder = { line: number; message: string; fix: string };

/** Finds notes about what is to be written, sample addresses and sample phone numbers in a file. */
export function findPlaceholders(source: string): Placeholder[] {
  const lines = source.split("\n");
  return lines.flatMap((text, index): Placeholder[] => {
    const line = index + 1;
    const start = text.indexOf(noteStart);
    if (start >= 0)
      return [
        {
          line,
          message: readNote(lines, index, start + noteStart.length),
          fix: "Remove this comment when it is done.",
        },
      ];
    if (/^\s*(#|<!--)/.test(text)) return [];
    const [sample] = sampleHost.exec(text) ?? samplePhone.exec(text) ?? [];
    return sample === undefined
      ? []
      : [{ line, message: `${sample} is a sample.`, fix: "Replace it with your own." }];
  });
}

/** A note may continue in the comment lines below it, up to the end of a sentence. */
function readNote(lines: string[], index: number, start: number): string {
  let note = (lines[index] ?? "").slice(start).replace(/-->.*/, "").trim();
  for (const next of lines.slice(index + 1)) {
    const more = /^\s*#\s?(\S.*)$/.exec(next)?.[1];
    if (/[.:]$/.test(note) || more === undefined) break;
    note += ` ${more.trim()}`;
  }
  return note.charAt(0).toUpperCase() + note.slice(1).replace(/:$/, ".");
}
