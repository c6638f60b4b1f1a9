import { Link } from "../../ui/link.tsx";
import { EmailField, SelectField, TextArea, TextField } from "../forms/fields.tsx";
import { Thanks } from "../forms/form-result.tsx";
import { FormShell } from "../forms/form-shell.tsx";
import type { Refusal } from "../forms/model.ts";
import type { ContactPageTexts } from "./files.server.ts";
import { maxMessageLength, maxNameLength, type Topic } from "./model.ts";

type Props = {
  texts: ContactPageTexts["form"];
  token: string;
  /** The path to which the form is sent, with what the message is about. */
  action: string;
  category: string;
  topic: Topic | null;
  result: { kind: "stored" } | Refusal | undefined;
};

/** The page inside the iframe. */
export function ContactForm({ texts, token, action, category, topic, result }: Props) {
  if (result?.kind === "stored") {
    return (
      <Thanks {...texts.thanks}>
        <Link to={action} className="text-link">
          Write another message
        </Link>
      </Thanks>
    );
  }
  const { fields } = texts;
  // With this many rows, the whole form fits into its iframe, even on a phone.
  const rows = Math.max(3, 8 - (topic ? 4 : 0) - (result ? 5 : 0));
  return (
    <>
      <h1 className="mb-5 text-2xl">{texts.heading}</h1>
      <FormShell action={action} token={token} refusal={result} submitLabel={texts.button}>
        {topic && (
          <p className="border-gold border-l-4 pl-3">
            <strong className="font-semibold">{topic.title}</strong>
            <span className="block break-all text-ink-soft text-sm">{topic.url}</span>
          </p>
        )}
        <SelectField
          name="category"
          label={fields.category}
          hint="A news tip is never stored on your device, so it is gone when you leave this page."
          options={texts.categories}
          preset={category}
          refusal={result}
        />
        <TextField
          name="name"
          label={fields.name}
          maxLength={maxNameLength}
          autoComplete="name"
          refusal={result}
        />
        <EmailField label={fields.email} refusal={result} />
        <TextArea
          name="message"
          label={fields.message}
          required
          rows={rows}
          maxLength={maxMessageLength}
          refusal={result}
        />
      </FormShell>
    </>
  );
}
