import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { minSuggestLetters, normalizeQuery, type Suggestion, suggestPath } from "../model.ts";

const debounceMs = 180;

type SuggestionState = { suggestions: Suggestion[]; active: number };
const noSuggestions: SuggestionState = { suggestions: [], active: -1 };

/** Follows the WAI-ARIA pattern "editable combobox with list autocomplete". */
export function useSuggestions(onChosen: () => void) {
  const [{ suggestions, active }, setState] = useState(noSuggestions);
  const pending = useRef<AbortController>(null);
  const navigate = useNavigate();

  const close = () => {
    pending.current?.abort();
    setState(noSuggestions);
  };
  useEffect(() => () => pending.current?.abort(), []);

  async function requestSuggestions(typed: string): Promise<void> {
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
      // The reader typed on, or there is no network. The box also works without suggestions.
      if (!controller.signal.aborted) setState(noSuggestions);
    }
  }

  function open({ link }: Suggestion): void {
    close();
    onChosen();
    if (link.startsWith("/")) navigate(link);
    else window.open(link, "_blank", "noopener");
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key, nativeEvent } = event;
    // While a character is composed (IME), these keys belong to the list of candidates.
    if (suggestions.length === 0 || nativeEvent.isComposing) return;
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
  }

  return { suggestions, active, requestSuggestions, close, open, onKeyDown };
}
