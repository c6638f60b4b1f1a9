import { useEffect } from "react";
import { Link } from "react-router";
import { SelectField, TextArea, TextField } from "../forms/fields.tsx";
import { FormShell } from "../forms/form-shell.tsx";
import type { Refusal } from "../forms/model.ts";
import { Thanks } from "../forms/thanks.tsx";
import type { ContactPageTexts } from "./files.server.ts";
import { maxMessageLength, maxNameLength, storedNotice } from "./model.ts";

export const contactFormPath = "/contact/form";

type Props = {
  texts: ContactPageTexts["form"];
  token: string;
  result: { kind: "stored" } | Refusal | undefined;
};

/**
 * The page inside the iframe. After the server has stored a message, this page thanks the reader
 * and notifies the page that contains the iframe.
 */
export function ContactForm({ texts, token, result }: Props) {
  const isStored = result?.kind === "stored";
  useEffect(() => {
    if (isStored && parent !== window) parent.postMessage(storedNotice, location.origin);
  }, [isStored]);

  if (isStored) {
    return (
      <Thanks {...texts.thanks} level="h1">
        <Link to={contactFormPath} className="text-link">
          Write another message
        </Link>
      </Thanks>
    );
  }
  const refusal = result?.kind === "refused" ? result : undefined;
  const { fields } = texts;
  return (
    <>
      <h1 className="mb-5 text-2xl">{texts.heading}</h1>
      <FormShell
        action={contactFormPath}
        token={token}
        refusal={refusal}
        submitLabel={texts.button}
      >
        <SelectField
          name="category"
          label={fields.category}
          options={texts.categories}
          preset={texts.preset}
          refusal={refusal}
        />
        <TextField
          name="name"
          label={fields.name}
          maxLength={maxNameLength}
          autoComplete="name"
          refusal={refusal}
        />
        <TextField
          name="email"
          type="email"
          label={fields.email}
          maxLength={254}
          autoComplete="email"
          refusal={refusal}
        />
        <TextArea
          name="message"
          label={fields.message}
          required
          rows={9}
          maxLength={maxMessageLength}
          refusal={refusal}
        />
      </FormShell>
    </>
  );
}
