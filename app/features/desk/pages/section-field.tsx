import { Field } from "../../forms/fields.tsx";
import type { FilledFields } from "../../forms/model.ts";

type Props = {
  /** The categories below the headings of the sections. */
  choices: { heading: string; categories: string[] }[];
  refusal: FilledFields;
};

export const SectionField = ({ choices, refusal }: Props) => (
  <Field
    name="category"
    label="Section"
    refusal={refusal}
    control={(props) => (
      <select {...props} className="field mt-1.5">
        <option value="">Choose …</option>
        {choices.map(({ heading, categories }) => (
          <optgroup key={heading} label={heading}>
            {categories.map((category) => (
              <option key={category}>{category}</option>
            ))}
          </optgroup>
        ))}
      </select>
    )}
  />
);
