import * as events from "../../events/model.ts";
import { ConsentField, SelectField, TextArea, TextField } from "../../forms/fields.tsx";
import type { FilledFields } from "../../forms/model.ts";

type Props = {
  /** The name of the field with what happens there. */
  textName: "text" | "description";
  categories: string[];
  refusal: FilledFields;
};

/**
 * The fields of an event below its title: those of the readers' form, without the questions about the
 * sender.
 */
export const EventFields = ({ textName, categories, refusal }: Props) => (
  <>
    <TextArea
      name={textName}
      label="What happens there"
      hint="Plain text"
      maxLength={events.maxDescriptionLength}
      rows={9}
      refusal={refusal}
    />
    <TextField
      name="location"
      label="Place"
      maxLength={events.maxLocationLength}
      refusal={refusal}
    />
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
        ...categories.map((value) => ({ value, label: value })),
      ]}
      preset=""
    />
    <TextField
      name="url"
      type="url"
      label="Link (optional)"
      hint="Where readers learn more or get tickets"
      maxLength={events.maxUrlLength}
      refusal={refusal}
    />
    <ConsentField name="free" label="Free admission" refusal={refusal} optional />
  </>
);
