import { useEffect } from "react";
import { Link } from "../../ui/link.tsx";
import { EmailField, SelectField, TextArea, TextField } from "../forms/fields.tsx";
import { FormShell } from "../forms/form-shell.tsx";
import type { Refusal } from "../forms/model.ts";
import { Thanks } from "../forms/thanks.tsx";
import type { ContactPageTexts } from "./files.server.ts";
import {
  contactFormPath,
  formStoredMessage,
  maxMessageLength,
  maxNameLength,
  type Topic,
} from "./model.ts";

type Props = {
  texts: ContactPageTexts["form"];
  token: string;
  /** The path to which the form is sent, with what the message is about. */
  action: string;
  category: string;
  topic: Topic | null;
  result: { kind: "stored" } | Refusal | undefined;
};

/** The page inside the iframe, which tells the page around it that a message was stored. */
export function ContactForm({ texts, token, action, category, topic, result }: Props) {
  const isStored = result?.kind === "stored";
  useEffect(() => {
    if (isStored && parent !== window) parent.postMessage(formStoredMessage, location.origin);
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
  // With this many rows, the whole form fits into its iframe, even on a phone.
  const rows = Math.max(3, 9 - (topic ? 4 : 0) - (refusal ? 5 : 0));
  return (
    <>
      <h1 className="mb-5 text-2xl">{texts.heading}</h1>
      <FormShell action={action} token={token} refusal={refusal} submitLabel={texts.button}>
        {topic && (
          <p className="border-gold border-l-4 pl-3">
            <strong className="font-semibold">{topic.title}</strong>
            <span className="block break-all text-ink-soft text-sm">{topic.url}</span>
          </p>
        )}
        <SelectField
          name="category"
          label={fields.category}
          options={texts.categories}
          preset={category}
          refusal={refusal}
        />
        <TextField
          name="name"
          label={fields.name}
          maxLength={maxNameLength}
          autoComplete="name"
          refusal={refusal}
        />
        <EmailField label={fields.email} refusal={refusal} />
        <TextArea
          name="message"
          label={fields.message}
          required
          rows={rows}
          maxLength={maxMessageLength}
          refusal={refusal}
        />
      </FormShell>
    </>
  );
}
