import type { Check } from "../../platform/city.ts";
import { tipCategory } from "../forms/model.ts";
import { contactPageFile } from "./files.server.ts";

/** A city may have no category for tips, but a renamed one would silently lose its protection. */
export const checkTipCategory: Check = (city) => {
  const page = city.read(contactPageFile);
  if (!page || page.form.categories.some(({ value }) => value === tipCategory)) return [];
  return [
    {
      file: contactPageFile.path,
      at: ["form", "categories"],
      field: "form.categories",
      message: `has no \`value: ${tipCategory}\`: only messages with this value go to the email address for tips and are never stored on the reader's device`,
      isNote: true,
    },
  ];
};
