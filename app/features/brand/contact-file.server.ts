import { z } from "zod";
import { emailAddress, text } from "../../site-files/site-fields.server.ts";
import { siteFile, type ValueOf } from "../../site-files/site-file.server.ts";

const phone = z.string().regex(/^[\d-]{7,20}$/, "must be a phone number such as 212-555-0142");

export const contactFile = siteFile(
  "contact.yaml",
  z.strictObject({
    email: emailAddress,
    tips: emailAddress,
    countryCode: z
      .string()
      .regex(/^\+\d{1,3}$/, "must be a country code such as +1")
      .default("+1"),
    // A newsroom may have no phone, no office, or neither.
    office: phone.optional(),
    newsDesk: phone.optional(),
    address: z.strictObject({ street: text, city: text }).optional(),
    hours: text.optional(),
  }),
);

export type Contact = ValueOf<typeof contactFile>;
