import {
  maxDescriptionLength,
  maxLocationLength,
  maxTitleLength,
  maxUrlLength,
} from "../../../events/model.ts";
import { ConsentField, SelectField, TextArea, TextField } from "../../../forms/fields.tsx";
import type { Refusal } from "../../../forms/model.ts";
import type { DraftPageContent } from "../show.server.ts";
import { TitleField } from "./title-field.tsx";

type Props = { content: DraftPageContent; title: string; refusal: Refusal };

/** The fields of an event: those of the readers' form, without the questions about the sender. */
export function EventFieldset({ content, title, refusal }: Props) {
  const choices = content.categories.flatMap(({ categories }) => categories);
  return (
    <>
      <TitleField title={title} maxLength={maxTitleLength} refusal={refusal} />
      <TextArea
        name="text"
        label="What happens there"
        hint="Plain text"
        maxLength={maxDescriptionLength}
        rows={9}
        refusal={refusal}
      />
      <TextField name="location" label="Place" maxLength={maxLocationLength} refusal={refusal} />
      <div className="grid gap-5 sm:grid-cols-3">
        <TextField name="day" type="date" label="Day" refusal={refusal} />
        <TextField name="starts" type="time" label="Starts" refusal={refusal} />
        <TextField name="ends" type="time" label="Ends (optional)" refusal={refusal} />
      </div>
      <SelectField
        name="category"
        label="Category"
        refusal={refusal}
        options={[
          { value: "", label: "Choose …" },
          ...choices.map((value) => ({ value, label: value })),
        ]}
        preset=""
      />
      <TextField
        name="url"
        type="url"
        label="Link (optional)"
        hint="Where readers learn more or get tickets"
        maxLength={maxUrlLength}
        refusal={refusal}
      />
      <ConsentField name="free" label="Free admission" refusal={refusal} optional />
    </>
  );
}
