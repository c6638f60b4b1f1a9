import { isRecord } from "../../../../lib/is-record.ts";
import type { ItemKind } from "../../published/model.ts";
import {
  type DraftFields,
  intentField,
  isSameDraft,
  mergeFields,
  revisionField,
  type SaveResponse,
  savePath,
  writeDraftFields,
} from "../model.ts";
import { deleteDeviceCopy, writeDeviceCopy } from "./device-copy.ts";

export type OtherVersion = Extract<SaveResponse, { kind: "conflict" }>;

type Failure = "connection" | "server" | "signed-out" | "too-large";

export type SaveState =
  | { kind: "saved"; at: string }
  | { kind: "typing" | "saving" }
  | {
      kind: "not-saved";
      reason: Failure;
      /** False if the browser stores nothing either. */
      isOnDevice: boolean;
    }
  /** Somebody saved another text while this editor typed. */
  | { kind: "conflict"; other: OtherVersion; typed: DraftFields }
  /** Somebody deleted or published the draft. */
  | { kind: "gone"; isTyped: boolean };

type Options = {
  id: string;
  kind: ItemKind;
  revision: number;
  /** What the server has, and since when. */
  saved: DraftFields;
  savedAt: string;
  readFields(): DraftFields;
  onState(state: SaveState): void;
  /** Called with what a scheduled draft lacks after each save. */
  onObstacles(obstacles: string[]): void;
  /** The draft changed elsewhere, and `fields` has that as well as what was typed here. */
  onMerged(fields: DraftFields, other: OtherVersion): void;
  onReached(): void;
};

/** What is typed reaches the server within this time, so that less than 3 seconds can be lost. */
export const saveDelayMs = 2_000;
const maxRetryMs = 30_000;
const timeoutMs = 15_000;
/**
 * How often the page tells the server that it is open. The response says whether another editor has
 * taken the draft over.
 */
const openIntervalMs = 10_000;

export type Autosave = ReturnType<typeof createAutosave>;

/**
 * Saves a draft while an editor types: at once on the device, and every two seconds on the server.
 * Nothing is removed from the device before the server has stored it.
 */
export function createAutosave(options: Options) {
  const { id, kind, readFields, onState, onObstacles, onMerged, onReached } = options;
  let { revision, saved, savedAt } = options;
  let sent: DraftFields | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<boolean> | null = null;
  let failures = 0;
  let failure: Failure = "connection";
  let isStopped = false;
  let isOnDevice = true;

  const isChanged = () => !isSameDraft(readFields(), saved);

  const storeOnDevice = () => {
    isOnDevice = writeDeviceCopy(id, { kind, fields: readFields(), revision, sent });
  };

  const schedule = (delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => save(), delayMs);
  };

  function change(): void {
    if (isStopped) return;
    if (!running && !isChanged()) {
      settle();
      return;
    }
    storeOnDevice();
    onState(failures > 0 ? { kind: "not-saved", reason: failure, isOnDevice } : { kind: "typing" });
    if (timer === undefined && !running) schedule(saveDelayMs);
  }

  /** Saves now. Returns whether the server has everything that was typed. */
  async function save(): Promise<boolean> {
    clearTimeout(timer);
    timer = undefined;
    if (running) await running;
    if (isStopped) return false;
    running ??= send().finally(() => {
      running = null;
    });
    return running;
  }

  async function send(): Promise<boolean> {
    const fields = readFields();
    if (isSameDraft(fields, saved)) return settle();
    const earlier = sent;
    sent = fields;
    storeOnDevice();
    onState({ kind: "saving" });
    const form = writeDraftFields(new FormData(), fields);
    form.set(revisionField, String(revision));
    const response = await post(id, form);
    if (isStopped) return false;
    if (typeof response === "string") return fail(response);
    onReached();
    failures = 0;
    switch (response.kind) {
      case "saved":
        accept(response, fields);
        onObstacles(response.obstacles);
        return settle();
      case "conflict":
        // The text that the server has is what was sent last time, when the response was lost.
        if (earlier && response.change === null && isSameDraft(response.fields, earlier)) {
          accept(response, response.fields);
          return send();
        }
        showOther(response);
        return false;
      case "gone":
        stop();
        onState({ kind: "gone", isTyped: true });
        return false;
    }
  }

  /**
   * What happened to the item, or was saved in another tab, is merged into what was typed. If two
   * editors typed different versions, or both changed the same field, the editor has to choose one.
   */
  function showOther(other: OtherVersion): void {
    stop();
    const typed = readFields();
    const mayMerge = other.isOwn || other.change !== null || !isChanged();
    const merged = mayMerge ? mergeFields(saved, typed, other.fields) : null;
    if (merged) onMerged(merged, other);
    else onState({ kind: "conflict", other, typed });
  }

  function accept(response: { revision: number; savedAt: string }, fields: DraftFields): void {
    ({ revision, savedAt } = response);
    saved = fields;
    sent = null;
  }

  /** Returns whether the server has everything. If it has not, the rest is saved soon. */
  function settle(): boolean {
    if (isChanged()) {
      storeOnDevice();
      schedule(saveDelayMs);
      return false;
    }
    clearTimeout(timer);
    timer = undefined;
    deleteDeviceCopy(id);
    onState({ kind: "saved", at: savedAt });
    return true;
  }

  function fail(reason: Failure): boolean {
    failures += 1;
    failure = reason;
    onState({ kind: "not-saved", reason, isOnDevice });
    schedule(Math.min(saveDelayMs * 2 ** failures, maxRetryMs));
    return false;
  }

  /** Tells the server that the page is open, and learns whether somebody saved another text. */
  async function reportOpen(): Promise<void> {
    if (isStopped || document.visibilityState === "hidden" || isChanged()) return;
    const form = new FormData();
    form.set(intentField, "open");
    form.set(revisionField, String(revision));
    const response = await post(id, form);
    if (isStopped || typeof response === "string" || running || isChanged()) return;
    if (response.kind === "saved") return onReached();
    // A save may have ended between the request and its response.
    if (response.kind === "conflict" && response.revision <= revision) return;
    if (response.kind === "conflict") return showOther(response);
    stop();
    onState({ kind: "gone", isTyped: false });
  }

  const saveIfChanged = () => {
    if (!isStopped && isChanged()) save();
  };
  const followVisibility = () => {
    if (document.visibilityState === "hidden") saveIfChanged();
    else reportOpen();
  };
  /** Tells the server that the page is closed, so that others need not take the draft over. */
  const reportClosed = () => {
    const form = new FormData();
    form.set(intentField, "close");
    post(id, form, { keepalive: true });
  };
  const openTimer = setInterval(reportOpen, openIntervalMs);
  addEventListener("online", saveIfChanged);
  addEventListener("pagehide", reportClosed);
  document.addEventListener("visibilitychange", followVisibility);

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
    clearInterval(openTimer);
    removeEventListener("online", saveIfChanged);
    removeEventListener("pagehide", reportClosed);
    document.removeEventListener("visibilitychange", followVisibility);
  }

  return {
    change,
    save,
    stop,
    reportOpen,
    reportClosed,
    get revision() {
      return revision;
    },
    /** The fields that the server has. */
    get saved() {
      return saved;
    },
    /** Whether the draft changed elsewhere, so that another version of the form takes over. */
    get isStopped() {
      return isStopped;
    },
  };
}

/** Sends a form. A redirect means that the editor is signed out: the page must stay as it is. */
async function post(
  id: string,
  body: FormData,
  options: RequestInit = {},
): Promise<SaveResponse | Failure> {
  try {
    const response = await fetch(savePath(id), {
      method: "POST",
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
      ...options,
    });
    if (response.type === "opaqueredirect") return "signed-out";
    if (response.status === 413) return "too-large";
    if (![200, 404, 409].includes(response.status)) return "server";
    const result: unknown = await response.json();
    return isSaveResponse(result) ? result : "connection";
  } catch {
    return "connection";
  }
}

const isSaveResponse = (value: unknown): value is SaveResponse =>
  isRecord(value) && ["saved", "conflict", "gone"].includes(String(value.kind));
