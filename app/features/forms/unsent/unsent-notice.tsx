import { type RefObject, useEffect, useRef, useState } from "react";
import { hasTypedText } from "../../../lib/typed-text.ts";
import { useDeviceValue } from "../../../ui/hooks/use-device-value.ts";
import { unsentRetentionDays } from "./retention.ts";
import {
  areFilesLost,
  deleteUnsentForm,
  fillForm,
  isConfidential,
  isInForm,
  keepTypedForm,
  storeUnsentForm,
  type UnsentForm,
  type UnsentResult,
  unsentForm,
} from "./unsent-form.ts";

type Props = {
  path: string;
  form: RefObject<HTMLFormElement | null>;
  /**
   * Whether what is typed is also stored with a connection. The route then says what was not sent.
   */
  isAlwaysStored?: boolean;
};

/**
 * Stores a form that the reader types or submits without a connection, and offers it again when the
 * reader returns. Nothing is sent unless the reader presses the form's own button.
 */
export function UnsentNotice({ path, form, isAlwaysStored = false }: Props) {
  const unsent = useDeviceValue(unsentForm(path));
  const isWithoutFiles = useDeviceValue(areFilesLost);
  const box = useRef<HTMLDivElement>(null);
  const [result, setResult] = useState<UnsentResult | null>(null);
  /** Whether the fields contain what is stored: the reader has just typed or restored it. */
  const [isFilledIn, setFilledIn] = useState(false);
  /** Whether the form was stored while the reader types. A notice would then move the fields. */
  const [isTyping, setTyping] = useState(false);

  useEffect(() => {
    if (!form.current) return;
    // The desk's forms are stored anyway, and a reload has to show what other editors changed.
    const stopKeeping = keepTypedForm(path, form.current, !isAlwaysStored);
    const onStore = () => setTyping(true);
    const stopStoring = storeWhileTyping(path, form.current, isAlwaysStored, onStore, setResult);
    const stop = new AbortController();
    addEventListener("online", () => setResult(null), { signal: stop.signal });
    return () => {
      stopKeeping();
      stopStoring();
      stop.abort();
    };
  }, [path, form, isAlwaysStored]);
  useEffect(() => {
    setFilledIn(unsent !== null && form.current !== null && isInForm(form.current, unsent.values));
  }, [unsent, form]);
  useEffect(() => {
    if (result) box.current?.scrollIntoView({ block: "center", behavior: "instant" });
  }, [result]);

  const restore = () => {
    if (!form.current || !unsent) return;
    fillForm(form.current, unsent);
    setFilledIn(true);
  };
  return (
    <div ref={box} role="status" className="callout empty:hidden">
      {result && <p className="font-semibold">You seem to be offline, so this was not sent.</p>}
      {result && result !== "stored" && (
        <p>
          {result === "failed"
            ? "Your browser cannot store what you wrote."
            : "To protect you, news tips are not stored on this device."}{" "}
          Please leave this page open, and press the button again when you are connected.
        </p>
      )}
      {unsent && (result === null ? !isTyping : result === "stored") && (
        <>
          <p>{isFilledIn ? storedText : describeUnsent(unsent)}</p>
          {unsent.hadFiles && (
            <p>
              {isFilledIn && !isWithoutFiles
                ? "Your photos are not stored, but they stay in the form until you leave this page."
                : "Files are not stored. Please choose your photos again."}
            </p>
          )}
          <p className="mt-3 flex flex-wrap gap-3">
            {!isFilledIn && (
              <button type="button" className="button button-gold" onClick={restore}>
                Restore
              </button>
            )}
            <button
              type="button"
              className="button button-plain"
              onClick={() => deleteUnsentForm(path)}
            >
              {isFilledIn ? "Delete from this device" : "Delete"}
            </button>
          </p>
        </>
      )}
    </div>
  );
}

const storedText = `What you wrote is stored on this device, so you can come back to it later. It is deleted when you send it, and otherwise after ${unsentRetentionDays} days.`;

function describeUnsent({ savedAt, mayHaveArrived }: UnsentForm): string {
  const format = (style: Intl.DateTimeFormatOptions) =>
    new Date(savedAt).toLocaleString("en-US", style).replace("\u202f", " ");
  const time = `${format({ month: "long", day: "numeric" })} at ${format({ hour: "numeric", minute: "2-digit" })}`;
  return mayHaveArrived
    ? `You wrote this on ${time}, and we do not know whether it reached us.`
    : `You wrote this on ${time} and it was not sent.`;
}

/**
 * Stores a form while the reader types, or submits it, without a connection, or always. A text that
 * was stored before and is not in the form stays until the reader submits the form, restores or
 * deletes that text, or chooses "News tip". Returns a function that ends this.
 */
function storeWhileTyping(
  path: string,
  form: HTMLFormElement,
  isAlwaysStored: boolean,
  onStore: () => void,
  onSubmitOffline: (result: UnsentResult) => void,
): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const stored = unsentForm(path);
  /** Whether the stored text comes from this form, and not from an earlier visit. */
  let isOfThisForm = false;
  // The reader may have typed before the page was hydrated.
  let isChanged = hasTypedText(form);

  const store = () => {
    if (!isChanged || !(isAlwaysStored || !navigator.onLine)) return;
    // `isChanged` stays true: if the reader deletes the offered text later, this form is stored.
    if (stored.read() !== null && !isOfThisForm) return;
    isChanged = false;
    const mayHaveArrived = stored.read()?.mayHaveArrived ?? false;
    const facts = { mayHaveArrived, now: Date.now() };
    const isStored =
      hasTypedText(form) && storeUnsentForm(path, new FormData(form), facts) === "stored";
    // If the reader has emptied the form, its text must not stay on the device.
    if (!isStored && isOfThisForm) stored.write(null);
    isOfThisForm = isStored;
    if (isStored) onStore();
  };
  /** A submitted form replaces an earlier stored text, and is deleted once the server has it. */
  const onSubmit = (event: SubmitEvent) => {
    if (event.target !== form) return;
    isOfThisForm = true;
    store();
    if (isAlwaysStored || navigator.onLine) return;
    event.preventDefault();
    const facts = { mayHaveArrived: false, now: Date.now() };
    onSubmitOffline(storeUnsentForm(path, new FormData(form), facts));
  };
  const onInput = () => {
    // A news tip must leave nothing on the device, even if the connection is back.
    if (isConfidential(path, new FormData(form))) stored.write(null);
    isChanged = true;
    store();
  };
  /** Notices that the reader has restored the stored text into the form. */
  const compare = () => {
    if (isOfThisForm) return;
    const unsent = stored.read();
    if (unsent && isInForm(form, unsent.values)) isOfThisForm = true;
  };

  store();
  const stopFollowing = stored.subscribe(() => {
    compare();
    store();
  });
  // A list or a checkbox has no "beforeinput", so a restored form is recognized by the click.
  addEventListener("click", compare, options);
  addEventListener("beforeinput", compare, options);
  form.addEventListener("input", onInput, options);
  // The window is the first to see an event, so no other listener can stop the event before. The
  // text must not be stored after it was sent.
  addEventListener("submit", onSubmit, { ...options, capture: true });
  addEventListener("offline", store, options);
  return () => {
    stopFollowing();
    stop.abort();
  };
}
