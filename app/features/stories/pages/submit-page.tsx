import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { useDeviceValue } from "../../../ui/hooks/use-device-value.ts";
import { Link } from "../../../ui/link.tsx";
import { ConsentField, EmailField, Field, TextArea, TextField } from "../../forms/fields.tsx";
import { Thanks } from "../../forms/form-result.tsx";
import { FormShell } from "../../forms/form-shell.tsx";
import type { Refusal } from "../../forms/model.ts";
import { areFilesLost } from "../../forms/unsent/unsent-form.ts";
import type { SubmitStoryTexts } from "../files.server.ts";
import {
  altField,
  imageField,
  imageNumbers,
  imageTypes,
  maxAltLength,
  maxImageBytes,
  maxImageMegabytes,
  maxImages,
  maxNameLength,
  maxStoryLength,
  maxTitleLength,
  submitPath,
} from "../readers/model.ts";

type Props = {
  texts: Omit<SubmitStoryTexts, "picture">;
  token: string;
  result: { kind: "stored" } | Refusal | undefined;
};

export function SubmitPage({ texts, token, result }: Props) {
  const refusal = result?.kind === "refused" ? result : undefined;
  const { fields } = texts;
  return (
    <div className="page pt-8 lg:pt-10">
      <div className="mx-auto max-w-2xl">
        {result?.kind === "stored" ? (
          <Thanks {...texts.thanks}>
            <Link to="/community" className="text-link font-semibold">
              Back to Community
            </Link>
          </Thanks>
        ) : (
          <>
            <h1 className="kicker">{texts.heading}</h1>
            <p className="mt-4 mb-8 text-lg text-ink-soft">
              {texts.intro} {texts.lifetime}
            </p>
            <FormShell
              action={submitPath}
              token={token}
              refusal={refusal}
              submitLabel={texts.button}
              hasFiles
            >
              <TextField
                name="title"
                {...fields.title}
                required
                maxLength={maxTitleLength}
                refusal={refusal}
              />
              <TextArea
                name="story"
                {...fields.story}
                required
                rows={14}
                maxLength={maxStoryLength}
                refusal={refusal}
              />
              <TextField
                name="name"
                {...fields.name}
                maxLength={maxNameLength}
                autoComplete="name"
                refusal={refusal}
              />
              <EmailField {...fields.email} refusal={refusal} />
              <ImageFields texts={fields.pictures} refusal={refusal} />
              <ConsentField name="consent" label={fields.consent.label} refusal={refusal} />
            </FormShell>
          </>
        )}
      </div>
    </div>
  );
}

type ImageProps = { texts: SubmitStoryTexts["fields"]["pictures"]; refusal: Refusal | undefined };

/**
 * Without JavaScript, the server renders one description field per possible image, and the fields
 * belong to the chosen files in their order.
 */
function ImageFields({ texts, refusal }: ImageProps) {
  // Browsers do not carry chosen files over to the page with the refusal.
  const [wasRefused] = useState(refusal !== undefined);
  const isWithoutFiles = useDeviceValue(areFilesLost) || wasRefused;
  const [files, setFiles] = useState<File[]>([]);
  const [note, setNote] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLOListElement>(null);

  const choose = (chosen: File[]) => {
    // A reader who opens the dialog again may choose the same file again.
    const unique = [...new Map(chosen.map((file) => [toKey(file), file])).values()];
    const accepted = unique.filter(({ size }) => size <= maxImageBytes).slice(0, maxImages);
    if (input.current) input.current.files = toFileList(accepted);
    setFiles(accepted);
    setNote(describeOthers(unique.filter((file) => !accepted.includes(file))));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, for files that were chosen before the page was hydrated
  useEffect(() => choose([...(input.current?.files ?? [])]), []);

  const add = ({ currentTarget }: ChangeEvent<HTMLInputElement>) =>
    choose([...files, ...(currentTarget.files ?? [])]);
  const remove = (removed: File, index: number) => {
    choose(files.filter((file) => file !== removed));
    const descriptions = [...(list.current?.querySelectorAll("input") ?? [])];
    for (const [position, field] of descriptions.entries())
      if (position >= index) field.value = descriptions[position + 1]?.value ?? "";
    input.current?.focus();
  };

  return (
    <div className="space-y-4">
      <Field
        name={imageField}
        label={texts.label}
        hint={texts.hint}
        refusal={refusal}
        control={({ defaultValue: _none, ...props }) => (
          <input
            {...props}
            ref={input}
            type="file"
            multiple
            accept={imageTypes.join(",")}
            onChange={add}
            className="field file-field mt-1.5"
          />
        )}
      />
      {isWithoutFiles && files.length === 0 && (
        <p className="font-medium text-crab">
          If you chose photos before, please choose them again.
        </p>
      )}
      <p role="status" className="font-medium text-crab empty:hidden">
        {note}
      </p>
      <ol ref={list} data-about-files className="space-y-4">
        {imageNumbers.map((number, index) => {
          const file = files[index];
          return (
            <li
              key={number}
              className={`flex flex-wrap items-end gap-3 ${file ? "" : "scripts:hidden"}`}
            >
              {file && <Preview key={toKey(file)} file={file} />}
              <div className="flex-[1_1_14rem]">
                <TextField
                  name={altField(number)}
                  label={`${texts.file} ${number}: ${texts.alt}`}
                  hint={file?.name}
                  maxLength={maxAltLength}
                  refusal={refusal}
                />
              </div>
              {file && (
                <button
                  type="button"
                  className="button button-plain"
                  aria-label={`Remove ${file.name}`}
                  onClick={() => remove(file, index)}
                >
                  Remove
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

const toKey = ({ name, size, lastModified }: File) => `${name} ${size} ${lastModified}`;

function toFileList(files: File[]): FileList {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  return transfer.files;
}

/**
 * Says why files were not added. The server would refuse them too, but only after an upload of
 * several minutes.
 */
function describeOthers(others: File[]): string {
  const large = others.filter(({ size }) => size > maxImageBytes).map(({ name }) => name);
  if (large.length > 0)
    return `Not added, because a photo can have up to ${maxImageMegabytes} MB: ${large.join(", ")}`;
  return others.length > 0
    ? `You can send up to ${maxImages} photos. The others were not added.`
    : "";
}

/**
 * Draws the file into a canvas, because our Content Security Policy blocks blob: URLs in an <img>.
 */
function Preview({ file }: { file: File }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    createImageBitmap(file, { resizeHeight: previewHeight }).then(
      (image) => {
        if (!canvas.current) return;
        canvas.current.width = image.width;
        canvas.current.height = image.height;
        canvas.current.getContext("bitmaprenderer")?.transferFromImageBitmap(image);
      },
      // The server reports what is wrong with the file when the form is sent.
      () => {},
    );
  }, [file]);
  return <canvas ref={canvas} className="h-20 w-24 flex-none rounded-xs bg-sunken object-cover" />;
}

/** In pixels. Enough for screens with two or three device pixels per CSS pixel. */
const previewHeight = 240;
