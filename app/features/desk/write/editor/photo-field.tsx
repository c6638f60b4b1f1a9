import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { TextField } from "../../../forms/fields.tsx";
import type { FilledFields } from "../../../forms/model.ts";
import { type DraftFields, deskImagePath, maxLengths, photoField } from "../model.ts";

type Props = {
  fields: DraftFields;
  refusal: FilledFields;
  /** The ids of images that are still on the device. */
  pending: ReadonlyMap<string, Blob>;
  /** The ids of images that the server refused. */
  refused: ReadonlyMap<string, string>;
  addImage(id: string, file: File): void;
  /** Called after the photo has changed, because the form has no event for it. */
  onChange(): void;
};

/** The texts about the photo. Another photo empties these fields. */
const listTexts = (form: HTMLFormElement | null | undefined): HTMLInputElement[] =>
  ["alt", "caption", "credit"]
    .map((name) => form?.elements.namedItem(name))
    .filter((field) => field instanceof HTMLInputElement);

function emptyTexts(form: HTMLFormElement | null): void {
  for (const field of listTexts(form)) field.value = "";
}

export function PhotoField({ fields, refusal, pending, refused, addImage, onChange }: Props) {
  const [image, setImage] = useState(fields.image);
  const part = useRef<HTMLFieldSetElement>(null);
  /** What the last photo has replaced. It comes back if the server refuses that photo. */
  const replaced = useRef({ image: "", texts: [""] });
  const waiting = pending.get(image);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after the form has the new value
  useEffect(onChange, [image]);

  useEffect(() => {
    if (!refused.has(image)) return;
    setImage(replaced.current.image);
    for (const [index, field] of listTexts(part.current?.form).entries())
      field.value = replaced.current.texts[index] ?? "";
  }, [refused, image]);

  function choose({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
    const [file] = currentTarget.files ?? [];
    if (!file) return;
    const id = crypto.randomUUID();
    addImage(id, file);
    replaced.current = { image, texts: listTexts(currentTarget.form).map(({ value }) => value) };
    if (image !== "") emptyTexts(currentTarget.form);
    setImage(id);
    // The photo is sent by itself, and not once more with the form.
    currentTarget.value = "";
  }

  return (
    <fieldset ref={part} className="write-part">
      <legend>Photo</legend>
      <input type="hidden" name="image" value={image} />
      {image !== "" &&
        (waiting ? (
          <Waiting file={waiting} />
        ) : (
          <img src={deskImagePath(image)} alt="" className="write-photo" />
        ))}
      <p className="flex flex-wrap items-center gap-3">
        <FileInput label="Take a photo" isCamera onChange={choose} />
        <FileInput label={image === "" ? "Choose a photo" : "Another photo"} onChange={choose} />
        {image !== "" && (
          <>
            <button
              type="button"
              className="desk-tap text-link hidden scripts:inline-flex"
              onClick={({ currentTarget }) => {
                emptyTexts(currentTarget.form);
                setImage("");
              }}
            >
              Remove
            </button>
            <label className="flex min-h-11 max-w-full flex-wrap items-center gap-3 scripts:hidden">
              <input type="checkbox" name="removePhoto" className="size-6 shrink-0" />
              Remove the photo
            </label>
          </>
        )}
      </p>
      {refusal.errors[photoField] && (
        <p id={`${photoField}-error`} className="font-medium text-crab">
          {refusal.errors[photoField]}
        </p>
      )}
      <div className={image === "" ? "scripts:hidden" : ""}>
        <TextField
          name="alt"
          label="Description"
          hint="What the photo shows, for readers who cannot see it"
          maxLength={maxLengths.alt}
          refusal={refusal}
        />
        <div className="write-pair">
          <TextField
            name="caption"
            label="Caption"
            maxLength={maxLengths.caption}
            refusal={refusal}
          />
          <TextField name="credit" label="Credit" maxLength={maxLengths.credit} refusal={refusal} />
        </div>
      </div>
    </fieldset>
  );
}

type FileProps = {
  label: string;
  isCamera?: boolean;
  onChange(event: ChangeEvent<HTMLInputElement>): void;
};

const FileInput = ({ label, isCamera = false, onChange }: FileProps) => (
  <label className="button button-plain max-w-full flex-wrap justify-start">
    {label}
    <input
      id={isCamera ? undefined : photoField}
      name={photoField}
      type="file"
      accept="image/*"
      capture={isCamera ? "environment" : undefined}
      onChange={onChange}
      className="min-w-0 max-w-full scripts:sr-only"
    />
  </label>
);

/** The photo while it is not sent yet. A canvas needs no URL that our policy would block. */
function Waiting({ file }: { file: Blob }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    createImageBitmap(file).then(
      (bitmap) => {
        if (!canvas.current) return;
        canvas.current.width = bitmap.width;
        canvas.current.height = bitmap.height;
        canvas.current.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
      },
      // The server says what is wrong with the file.
      () => {},
    );
  }, [file]);
  return <canvas ref={canvas} className="write-photo" />;
}
