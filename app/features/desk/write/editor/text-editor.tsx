import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from "react";
import { storedImagePath } from "../../../../lib/images/stored-image.ts";
import { plainTextHint } from "../model.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";

type Props = {
  defaultValue: string;
  error: string | undefined;
  /** False for a reader's story, which is plain text. */
  hasMarkup: boolean;
  addImage(id: string, file: File): void;
};

const imagesFrom = (files: FileList) => [...files].filter(({ type }) => type.startsWith("image/"));

/** Without JavaScript, this is a plain field for Markdown, without a toolbar. */
export function TextEditor({ defaultValue, error, hasMarkup, addImage }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [isPlainPaste, setPlainPaste] = useState(false);

  /** Stores and sends the image, and returns its path for the text. */
  const store = (file: File) => {
    const id = crypto.randomUUID();
    addImage(id, file);
    return storedImagePath(id);
  };
  const add = (files: File[]) => {
    for (const file of files) if (area.current) insertImage(area.current, store(file));
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
          return file && store(file);
        }),
      );
  }

  return (
    <div className="relative">
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
        className="field mt-1 field-sizing-content min-h-[55dvh] text-base/text"
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

/** Replaces text as if the editor had typed it, so that the browser's undo works. */
function replaceText(
  area: HTMLTextAreaElement,
  [start, end]: [number, number],
  text: string,
  selected: [number, number],
): void {
  area.focus();
  area.setSelectionRange(start, end);
  if (!document.execCommand("insertText", false, text)) {
    area.setRangeText(text, start, end, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }
  area.setSelectionRange(...selected);
}

/** Puts marks around the selected text, or removes them. Text between *** is bold and italic. */
function toggleMark(area: HTMLTextAreaElement, mark: "*" | "**", sample: string): void {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const { length } = mark;
  const [before = ""] = /\**$/.exec(value.slice(0, start)) ?? [];
  const [after = ""] = /^\**/.exec(value.slice(end)) ?? [];
  const stars = Math.min(before.length, after.length);
  const isMarked = mark === "*" ? stars % 2 === 1 : stars >= 2;
  const text = value.slice(start, end) || sample;
  if (isMarked)
    replaceText(area, [start - length, end + length], text, [start - length, end - length]);
  else
    replaceText(area, [start, end], `${mark}${text}${mark}`, [
      start + length,
      start + length + text.length,
    ]);
}

/** Begins each selected line with a mark, or removes the marks. */
function togglePrefix(area: HTMLTextAreaElement, prefix: string): void {
  const { value } = area;
  const start = value.lastIndexOf("\n", area.selectionStart - 1) + 1;
  const next = value.indexOf("\n", area.selectionEnd);
  const end = next === -1 ? value.length : next;
  const lines = value.slice(start, end).split("\n");
  const text = (
    lines.every((line) => line.startsWith(prefix))
      ? lines.map((line) => line.slice(prefix.length))
      : lines.map((line) => prefix + line)
  ).join("\n");
  replaceText(area, [start, end], text, [start + text.length, start + text.length]);
}

/** Makes the selected text a link, and selects the placeholder for its URL. */
function insertLink(area: HTMLTextAreaElement): void {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const text = value.slice(start, end) || "text of the link";
  const url = "https://";
  const urlStart = start + text.length + "[](".length;
  replaceText(area, [start, end], `[${text}](${url})`, [urlStart, urlStart + url.length]);
}

/** Inserts a text at the cursor. `selected` is the part of it that the editor types over. */
function insertText(area: HTMLTextAreaElement, text: string, selected = ""): void {
  const { selectionStart: start, selectionEnd: end } = area;
  const at = start + (selected === "" ? text.length : text.indexOf(selected));
  replaceText(area, [start, end], text, [at, at + selected.length]);
}

/** Inserts an image in its own paragraph, and selects the placeholder for its description. */
function insertImage(area: HTMLTextAreaElement, path: string): void {
  const before = area.value.slice(0, area.selectionStart);
  const space =
    before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  insertText(area, `${space}![](${path})\n\n`);
  const at = before.length + space.length + "![".length;
  area.setSelectionRange(at, at);
}

type TextCommand = {
  label: string;
  sign: string;
  /** The key that, with Ctrl or Command, does the same as the button. */
  key?: string;
  run(area: HTMLTextAreaElement): void;
};

const textCommands: TextCommand[] = [
  { label: "Bold", sign: "B", key: "b", run: (area) => toggleMark(area, "**", "bold") },
  { label: "Italic", sign: "I", key: "i", run: (area) => toggleMark(area, "*", "italic") },
  { label: "Link", sign: "Link", key: "k", run: insertLink },
  { label: "Heading", sign: "H", key: "h", run: (area) => togglePrefix(area, "## ") },
  { label: "List", sign: "List", run: (area) => togglePrefix(area, "- ") },
  { label: "Quote", sign: "“ ”", run: (area) => togglePrefix(area, "> ") },
];
