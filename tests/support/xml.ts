import { readFileSync } from "node:fs";
import { XmlDocument, XsdValidator } from "libxml2-wasm";
import { xmlRegisterFsInputProviders } from "libxml2-wasm/lib/nodejs.mjs";

// The schema of sitemaps imports the schema of the news extension, which is another file.
xmlRegisterFsInputProviders();

const validators = new Map<string, XsdValidator>();

function loadSchema(name: string): XsdValidator {
  const url = `tests/fixtures/schemas/${name}`;
  const validator =
    validators.get(name) ??
    XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(url), { url }));
  validators.set(name, validator);
  return validator;
}

/** Parses a document and validates it. Returns the first errors; none if it is valid. */
export function findSchemaErrors(
  xml: string,
  schema: "sitemap.xsd" | "siteindex.xsd",
): string | null {
  try {
    const document = XmlDocument.fromString(xml);
    try {
      loadSchema(schema).validate(document);
      return null;
    } finally {
      document.dispose();
    }
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 1_000) : String(error);
  }
}

/** Returns the text of all elements with this name. Our own documents have one per line at most. */
export const readElements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) => text);
