import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from "react";
import { imagePath, plainTextHint } from "../model.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import { insertImage, insertText, textCommands } from "./text-commands.ts";

type Props = {
  defaultValue: string;
  error: string | undefined;
  /** False for a reader's story, which is plain text. */
  hasMarkup: boolean;
  /** Stores an image on the device and sends it. */
  addImage(id: string, file: File): void;
};

const imagesFrom = (files: FileList) => [...files].filter(({ type }) => type.startsWith("image/"));

/**
 * The text of a draft. Without JavaScript it is a plain field for Markdown; with it, it has a
 * toolbar, and a text that is pasted keeps its headings, lists and links.
 */
export function TextEditor({ defaultValue, error, hasMarkup, addImage }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [isPlainPaste, setPlainPaste] = useState(false);

  const add = (files: File[]) => {
    for (const file of files) {
      const id = crypto.randomUUID();
      addImage(id, file);
      if (area.current) insertImage(area.current, imagePath(id));
    }
  };

  function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
    // With Shift, the next paste inserts the text without its format, as in other programs.
    setPlainPaste(event.shiftKey);
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const command = textCommands.find(({ key }) => key === event.key.toLowerCase());
    if (!command) return;
    event.preventDefault();
    command.run(event.currentTarget);
  }

  function paste(event: ClipboardEvent<HTMLTextAreaElement>): void {
    const { clipboardData } = event;
    const html = clipboardData.getData("text/html");
    const files = imagesFrom(clipboardData.files);
    if (html === "" ? files.length === 0 : isPlainPaste) return;
    event.preventDefault();
    if (files.length > 0 && clipboardData.getData("text/plain").trim() === "") add(files);
    else
      insertText(
        event.currentTarget,
        htmlToMarkdown(html, (source) => {
          const file = fromDataUrl(source);
          if (!file) return null;
          const id = crypto.randomUUID();
          addImage(id, file);
          return imagePath(id);
        }),
      );
  }

  return (
    <div className="write-text">
      {hasMarkup && (
        <div role="toolbar" aria-label="Format" className="write-toolbar">
          {textCommands.map(({ label, sign, key, run }) => (
            <button
              key={label}
              type="button"
              aria-label={label}
              title={key === undefined ? label : `${label} (Ctrl+${key.toUpperCase()})`}
              onClick={() => area.current && run(area.current)}
            >
              {sign}
            </button>
          ))}
          <label>
            Image
            <input
              type="file"
              accept="image/*"
              className="sr-only"
              onChange={({ currentTarget }) => {
                add([...(currentTarget.files ?? [])]);
                currentTarget.value = "";
              }}
            />
          </label>
        </div>
      )}
      {!hasMarkup && (
        <p id="text-note" className="desk-note">
          {plainTextHint}
        </p>
      )}
      <textarea
        ref={area}
        id="text"
        name="text"
        defaultValue={defaultValue}
        rows={14}
        aria-label="Text"
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={
          error === undefined ? (hasMarkup ? undefined : "text-note") : "text-error"
        }
        placeholder="Text"
        className="field write-area"
        {...(hasMarkup ? { onKeyDown: press, onPaste: paste } : {})}
      />
    </div>
  );
}

/** The image of a data URL, as Word and mail programs paste it. */
function fromDataUrl(source: string): File | null {
  const [, type = "", data] = /^data:(image\/[a-z+]+);base64,(.+)$/s.exec(source) ?? [];
  if (data === undefined) return null;
  try {
    return new File([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))], "image", { type });
  } catch {
    return null;
  }
}
