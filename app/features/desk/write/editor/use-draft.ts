import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { ItemKind } from "../../published/model.ts";
import { type DraftFields, isSameDraft, previewChannel, readDraftFields } from "../model.ts";
import { type Autosave, createAutosave, type SaveState } from "./autosave.ts";
import { deleteDeviceCopy, readDeviceCopy } from "./device-copy.ts";
import { listPendingImages, sendPendingImages, storeImage } from "./pending-images.ts";
import type { Conflict } from "./versions.tsx";

/** What the form begins with, and what the server has. */
export type Start = { fields: DraftFields; saved: DraftFields; revision: number };

type Options = {
  id: string;
  kind: ItemKind;
  form: RefObject<HTMLFormElement | null>;
  initial: Start;
  initialConflict: Conflict | null;
  savedAt: string;
  /** What a scheduled draft lacks before it can be published. */
  obstacles: string[];
  /** False while another editor has the draft open. */
  isEnabled: boolean;
};

export function useDraft(options: Options) {
  const { id, kind, form, initial, initialConflict, isEnabled } = options;
  // The page may be loaded again, for example after scheduling, but saving goes on.
  const [savedAt] = useState(options.savedAt);
  const [start, setStart] = useState(initial);
  const [version, setVersion] = useState(0);
  const [conflict, setConflict] = useState(initialConflict);
  const [isDeviceRead, setDeviceRead] = useState(false);
  const [state, setState] = useState<SaveState>({ kind: "saved", at: savedAt });
  const [obstacles, setObstacles] = useState(options.obstacles);
  const [pending, setPending] = useState<ReadonlyMap<string, File>>(new Map());
  const [imageProblems, setImageProblems] = useState<ReadonlyMap<string, string>>(new Map());
  /** What somebody else has done. Each notice is a new object, also if it has the same text. */
  const [notice, setNotice] = useState<{ text: string } | null>(null);
  /** Where the editor was typing when the form began again. */
  const caret = useRef<Caret | null>(null);
  const autosave = useRef<Autosave>(null);
  const sending = useRef<Promise<string[]> | null>(null);

  const restart = useCallback((next: Start) => {
    setStart(next);
    setVersion((count) => count + 1);
  }, []);

  const loadPending = useCallback(async () => {
    const images = await listPendingImages(id);
    setPending(new Map(images.map((image) => [image.id, image.file])));
    return images.map((image) => image.id);
  }, [id]);

  /**
   * Sends the images that wait. Calls during an upload share the next one. Returns the ids of those
   * that still wait.
   */
  const sendImages = useCallback(async (): Promise<string[]> => {
    await sending.current;
    const send = async () => {
      if ((await loadPending()).length === 0) return [];
      const refusals = await sendPendingImages(id);
      if (refusals.size > 0) setImageProblems(refusals);
      notifyPreview(id);
      return loadPending();
    };
    sending.current ??= send().finally(() => {
      sending.current = null;
    });
    return sending.current;
  }, [id, loadPending]);

  // What is on the device and not on the server, from an earlier visit to this page.
  useEffect(() => {
    setDeviceRead(true);
    const copy = isEnabled && !initialConflict ? readDeviceCopy(id) : null;
    if (!copy) return;
    const { fields: saved, revision } = initial;
    if (isSameDraft(copy.fields, saved)) deleteDeviceCopy(id);
    else if (copy.revision === revision || (copy.sent && isSameDraft(copy.sent, saved)))
      restart({ fields: copy.fields, saved, revision });
    else {
      const change = "There is text on this device that was not saved";
      const other = { fields: saved, revision, editorName: "", savedAt, isOwn: true, change };
      setConflict({ typed: copy.fields, other: { kind: "conflict", ...other } });
    }
  }, [id, initial, initialConflict, isEnabled, restart, savedAt]);

  useEffect(() => {
    if (!isEnabled || !isDeviceRead || conflict) return;
    const { fields, saved, revision } = start;
    const readFields = () =>
      // The ref is null only for TypeScript: the form exists as long as this effect.
      form.current ? readDraftFields(new FormData(form.current)) : fields;
    const created = createAutosave({
      id,
      kind,
      revision,
      saved,
      savedAt,
      readFields,
      onState(next) {
        setState(next);
        if (next.kind === "saved") notifyPreview(id);
        if (next.kind === "conflict") setConflict(next);
      },
      onObstacles: setObstacles,
      onMerged(merged, other) {
        const isNew = !isSameDraft(merged, readFields());
        const change = other.change ?? (other.isOwn ? null : `${other.editorName} took this over.`);
        const text = change
          ? `${change}${isNew ? " The form has it now." : ""}`
          : "You have this open in another tab. The form has what you saved there.";
        setNotice({ text });
        setState({ kind: "saved", at: other.savedAt });
        caret.current = readCaret();
        restart({ fields: merged, saved: other.fields, revision: other.revision });
      },
      onReached: sendImages,
    });
    autosave.current = created;
    // An editor may have typed before this script ran.
    if (isSameDraft(readFields(), saved)) created.reportOpen();
    else created.change();
    sendImages();
    return () => created.stop();
  }, [id, kind, form, start, conflict, isDeviceRead, isEnabled, savedAt, sendImages, restart]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form of another version is new
  useEffect(() => {
    const { name, start: from, end } = caret.current ?? {};
    caret.current = null;
    const field = name && form.current?.elements.namedItem(name);
    if (!isTextField(field)) return;
    field.focus({ preventScroll: true });
    field.setSelectionRange(from ?? null, end ?? null);
  }, [version, form]);

  useEffect(() => () => autosave.current?.reportClosed(), []);

  const addImage = useCallback(
    async (imageId: string, file: File) => {
      setImageProblems(new Map());
      setPending((images) => new Map(images).set(imageId, file));
      await storeImage({ id: imageId, draft: id, file });
      await sendImages();
    },
    [id, sendImages],
  );

  return {
    start,
    version,
    state,
    obstacles,
    conflict,
    notice,
    pending,
    imageProblems,
    addImage,
    change: () => autosave.current?.change(),
    /** Asks the server what became of the draft. */
    check: () => autosave.current?.reportOpen(),
    /** Sends the text, and the images if they are needed. Returns what the server has then. */
    async send(needsImages: boolean): Promise<Sent> {
      const current = autosave.current;
      if (!current) return { ...start, unsent: "text" };
      const waiting = needsImages ? await sendImages() : [];
      const isSaved = await current.save();
      const { saved, revision, isStopped } = current;
      if (!isSaved) return { saved, revision, unsent: isStopped ? "changed" : "text" };
      const isUsed = (image: string) => saved.image === image || saved.text.includes(image);
      return { saved, revision, unsent: waiting.some(isUsed) ? "photo" : null };
    },
    choose(fields: DraftFields) {
      if (!conflict) return;
      const { fields: saved, revision } = conflict.other;
      restart({ fields, saved, revision });
      setConflict(null);
    },
  };
}

/** What the server does not have. "changed": the draft changed elsewhere, and the page says how. */
export type Unsent = "text" | "photo" | "changed";
type Sent = { saved: DraftFields; revision: number; unsent: Unsent | null };

type Caret = { name: string; start: number | null; end: number | null };

const isTextField = (field: unknown): field is HTMLInputElement | HTMLTextAreaElement =>
  field instanceof HTMLTextAreaElement ||
  (field instanceof HTMLInputElement && field.type === "text");

function readCaret(): Caret | null {
  const field = document.activeElement;
  return isTextField(field)
    ? { name: field.name, start: field.selectionStart, end: field.selectionEnd }
    : null;
}

/** The page of the preview, in a frame or in another tab, loads the draft again. */
function notifyPreview(id: string): void {
  const channel = new BroadcastChannel(previewChannel(id));
  channel.postMessage("saved");
  channel.close();
}
