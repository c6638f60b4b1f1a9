import { type ChangeEvent, useState } from "react";
import { Field, TextField } from "../../forms/fields.tsx";
import type { Refusal } from "../../forms/model.ts";
import type { SubmitStoryTexts } from "../readers/files.server.ts";
import {
  altField,
  imageField,
  imageNumbers,
  imageTypes,
  maxAltLength,
  maxImageBytes,
  maxImageMegabytes,
} from "../readers/model.ts";

type Props = { texts: SubmitStoryTexts["fields"]["pictures"]; refusal: Refusal | undefined };

/**
 * Three file fields, each with its own description. With one field for several files, nobody could
 * tell which description belongs to which image.
 */
export function ImageFields({ texts, refusal }: Props) {
  // A page that is loaded with a refusal is a new page, and browsers do not carry chosen files over
  // from one page to the next.
  const [areFilesLost] = useState(refusal !== undefined);
  return (
    <fieldset className="rounded-sm border border-line px-4 pt-1 pb-5 sm:px-5">
      <legend className="-ml-1 px-1 font-semibold">{texts.label}</legend>
      <p className="text-ink-soft text-sm">{texts.hint}</p>
      {areFilesLost && (
        <p className="mt-2 font-medium text-crab">
          If you chose photos before, please choose them again.
        </p>
      )}
      <div className="mt-4 space-y-5 sm:space-y-4">
        {imageNumbers.map((number) => (
          <div key={number} className="grid gap-3 sm:grid-cols-2">
            <Field
              name={imageField(number)}
              label={`${texts.file} ${number}`}
              refusal={refusal}
              control={({ defaultValue: _none, ...props }) => (
                <input
                  {...props}
                  type="file"
                  accept={imageTypes.join(",")}
                  onChange={refuseLargeFile}
                  className="field file-field mt-1.5"
                />
              )}
            />
            <TextField
              name={altField(number)}
              label={`${texts.file} ${number}: ${texts.alt}`}
              maxLength={maxAltLength}
              refusal={refusal}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

/**
 * Reports a file that is too large before anything is sent. The server would report it only after
 * the upload, which can take minutes.
 */
function refuseLargeFile({ currentTarget: input }: ChangeEvent<HTMLInputElement>): void {
  const isLarge = [...(input.files ?? [])].some(({ size }) => size > maxImageBytes);
  input.setCustomValidity(
    isLarge
      ? `This photo is larger than ${maxImageMegabytes} MB. Please choose a smaller one.`
      : "",
  );
  if (isLarge) input.reportValidity();
}
