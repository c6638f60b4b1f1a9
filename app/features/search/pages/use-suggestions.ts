import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { normaliseQuery, type Suggestion, suggestFromLetters, suggestPath } from "../model.ts";

/** So long a reader may type on before we ask. */
const suggestAfterMs = 180;

type Offer = { suggestions: Suggestion[]; active: number };
const nothing: Offer = { suggestions: [], active: -1 };

/** Titles that fit what is being typed (WAI-ARIA: editable combobox with list autocomplete). */
export function useSuggestions(onChosen: () => void) {
  const [{ suggestions, active }, setOffer] = useState(nothing);
  const pending = useRef<AbortController>(null);
  const navigate = useNavigate();

  const close = () => {
    pending.current?.abort();
    setOffer(nothing);
  };
  useEffect(() => () => pending.current?.abort(), []);

  async function ask(typed: string): Promise<void> {
    pending.current?.abort();
    const query = normaliseQuery(typed);
    if (query.length < suggestFromLetters) return setOffer(nothing);
    const asking = new AbortController();
    pending.current = asking;
    try {
      await new Promise((resolve) => setTimeout(resolve, suggestAfterMs));
      if (asking.signal.aborted) return;
      const answer = await fetch(`${suggestPath}?${new URLSearchParams({ q: query })}`, asking);
      const found: Suggestion[] = answer.ok ? await answer.json() : [];
      if (!asking.signal.aborted) setOffer({ suggestions: found, active: -1 });
    } catch {
      // Typed on, or no network: without suggestions the box works as ever.
      if (!asking.signal.aborted) setOffer(nothing);
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
    // Enter and arrows belong to the list of signs while somebody is choosing one.
    if (suggestions.length === 0 || nativeEvent.isComposing) return;
    const turn = { ArrowDown: 1, ArrowUp: -1 }[key];
    const chosen = suggestions[active];
    if (turn) {
      // One place more than there are suggestions: the box itself.
      const places = suggestions.length + 1;
      setOffer({ suggestions, active: ((active + 1 + turn + places) % places) - 1 });
    } else if (key === "Enter" && chosen) open(chosen);
    else if (key === "Escape") close();
    else return;
    event.preventDefault();
  }

  return { suggestions, active, ask, close, open, onKeyDown };
}
