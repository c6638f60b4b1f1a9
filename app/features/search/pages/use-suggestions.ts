import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { minSuggestLetters, type Suggestion, suggestPath } from "../model.ts";
import { normalizeQuery } from "../query.ts";

/** How long we wait for the next letter before we request suggestions. */
const debounceMs = 180;

type SuggestionState = { suggestions: Suggestion[]; active: number };
const noSuggestions: SuggestionState = { suggestions: [], active: -1 };

/**
 * Suggests titles that match the text being typed, like the WAI-ARIA pattern "editable combobox
 * with list autocomplete".
 */
export function useSuggestions(field: RefObject<HTMLInputElement | null>) {
  const [{ suggestions, active }, setState] = useState(noSuggestions);
  const pending = useRef<AbortController>(null);
  const navigate = useNavigate();

  const close = useEffectEvent(() => {
    pending.current?.abort();
    setState(noSuggestions);
  });

  const requestSuggestions = useEffectEvent(async (typed: string): Promise<void> => {
    pending.current?.abort();
    const query = normalizeQuery(typed);
    if (query.length < minSuggestLetters) return setState(noSuggestions);
    const controller = new AbortController();
    pending.current = controller;
    try {
      await new Promise((resolve) => setTimeout(resolve, debounceMs));
      if (controller.signal.aborted) return;
      const response = await fetch(
        `${suggestPath}?${new URLSearchParams({ q: query })}`,
        controller,
      );
      const received: Suggestion[] = response.ok ? await response.json() : [];
      if (!controller.signal.aborted) setState({ suggestions: received, active: -1 });
    } catch {
      // The reader has continued to type, or there is no network. The box also works without
      // suggestions.
      if (!controller.signal.aborted) setState(noSuggestions);
    }
  });

  function open({ link }: Suggestion): void {
    pending.current?.abort();
    setState(noSuggestions);
    // The reader leaves the page, so the typed text is no longer needed.
    if (field.current) field.current.value = "";
    if (link.startsWith("/")) navigate(link);
    else window.open(link, "_blank", "noopener");
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const { key, isComposing } = event;
    // While the reader composes a character (IME), Enter and the arrow keys belong to the list of
    // candidates.
    if (suggestions.length === 0 || isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    const chosen = suggestions[active];
    if (step) {
      // There is one position more than there are suggestions, for the box itself.
      const positionCount = suggestions.length + 1;
      setState({ suggestions, active: ((active + 1 + step + positionCount) % positionCount) - 1 });
    } else if (key === "Enter" && chosen) open(chosen);
    else if (key === "Escape") close();
    else return;
    event.preventDefault();
  });

  useEffect(() => {
    const input = field.current;
    if (!input) return;
    const stop = new AbortController();
    const { signal } = stop;
    const request = () => requestSuggestions(input.value);
    input.addEventListener("input", request, { signal });
    input.addEventListener("keydown", onKeyDown, { signal });
    input.addEventListener("blur", () => close(), { signal });
    input.form?.addEventListener("submit", () => close(), { signal });
    // The reader may have typed while this script loaded.
    if (document.activeElement === input && input.value !== input.defaultValue) request();
    return () => {
      stop.abort();
      pending.current?.abort();
    };
  }, [field]);

  return { suggestions, active, open };
}
