import type { RefObject } from "react";
import { hasTypedText } from "../../../lib/typed-text.ts";
import { isConfidential, isInForm, storeUnsentForm, unsentForm } from "./unsent-form.ts";

/** A text of 20,000 characters must not be stored at every key. */
const pauseMs = 500;

/**
 * Stores a form while the reader types without a connection, or always, so that a closed tab loses
 * nothing. What was stored before, and is not in the form, stays until the reader submits the form,
 * restores it, deletes it or chooses "News tip". Returns a function that ends this.
 */
export function storeWhileTyping(
  path: string,
  form: RefObject<HTMLFormElement | null>,
  onStore: () => void,
  isAlwaysStored = false,
): () => void {
  // The element is needed once more when it is no longer on the page.
  const element = form.current;
  const isNeeded = () => isAlwaysStored || !navigator.onLine;
  const stop = new AbortController();
  const options = { signal: stop.signal };
  const stored = unsentForm(path);
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether what is stored is what the form contained at some time. */
  let isOfThisForm = false;
  let isChanged = false;

  const store = () => {
    clearTimeout(timer);
    if (!isChanged || !isNeeded() || !element) return;
    // The form still counts as changed, because the reader may delete what is offered later.
    if (stored.read() !== null && !isOfThisForm) return;
    isChanged = false;
    const mayHaveArrived = stored.read()?.mayHaveArrived ?? false;
    const facts = { mayHaveArrived, now: Date.now() };
    const isStored =
      hasTypedText(element) && storeUnsentForm(path, new FormData(element), facts) === "stored";
    // A text that the reader has removed from the form must not stay on the device.
    if (!isStored && isOfThisForm) stored.write(null);
    isOfThisForm = isStored;
    if (isStored) onStore();
  };
  /** What is in the form replaces what was stored before, and is deleted once the server has it. */
  const onSubmit = ({ target }: SubmitEvent) => {
    if (target === element) isOfThisForm = true;
    store();
  };
  const onInput = (event: Event) => {
    if (!element || !(event.target instanceof Node) || !element.contains(event.target)) return;
    isChanged = true;
    // A news tip must leave nothing on the device, even if the connection is back.
    if (isConfidential(new FormData(element))) stored.write(null);
    clearTimeout(timer);
    if (isNeeded()) timer = setTimeout(store, pauseMs);
  };
  /** The reader has restored the form, or pressed its button. */
  const compare = () => {
    if (isOfThisForm) return;
    const unsent = stored.read();
    if (unsent && element && isInForm(element, unsent.values)) isOfThisForm = true;
  };

  const stopComparing = stored.subscribe(compare);
  // A list or a checkbox has no "beforeinput", so a restored form is recognized by the click.
  addEventListener("click", compare, options);
  addEventListener("beforeinput", compare, options);
  addEventListener("input", onInput, options);
  // What was sent must not be stored afterwards.
  addEventListener("submit", onSubmit, { ...options, capture: true });
  addEventListener("offline", store, options);
  addEventListener("pagehide", store, options);
  document.addEventListener("visibilitychange", store, options);
  return () => {
    store();
    stopComparing();
    stop.abort();
  };
}
