import { type RefObject, useEffect, useRef } from "react";
import { Badge } from "../../../ui/badge.tsx";
import { ExternalLinkIcon } from "../../../ui/basic-icons.tsx";
import { useSuggestions } from "./use-suggestions.ts";

/** The list while it is open, and the id of its active option, if any. */
export type OpenList = { activeId: string | null };

export type SuggestionsProps = {
  id: string;
  /** The box, which keeps the focus and refers to the active option. */
  field: RefObject<HTMLInputElement | null>;
  onChange(list: OpenList | null): void;
};

/** The list under the search box. */
export function Suggestions({ id, field, onChange }: SuggestionsProps) {
  const { suggestions, active, open } = useSuggestions(field);
  const activeOption = useRef<HTMLDivElement>(null);
  const isOpen = suggestions.length > 0;
  useEffect(() => {
    if (active >= 0) activeOption.current?.scrollIntoView({ block: "nearest" });
    onChange(isOpen ? { activeId: active < 0 ? null : `${id}-${active}` } : null);
  }, [id, isOpen, active, onChange]);
  if (!isOpen) return null;
  return (
    <div id={id} role="listbox" aria-label="Suggestions" className="search-suggestions">
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box, which refers to the active option
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys
        <div
          key={suggestion.link + suggestion.title}
          ref={index === active ? activeOption : null}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className="search-suggestion"
          // Pressing the mouse button would move the focus out of the box, which closes the list
          // before the click.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => open(suggestion)}
        >
          <span className="line-clamp-2">
            {suggestion.title}
            {!suggestion.link.startsWith("/") && (
              <>
                <ExternalLinkIcon />
                <span className="sr-only"> (opens in a new tab)</span>
              </>
            )}
          </span>
          <span className="text-ink-soft text-sm">
            {suggestion.isSample && (
              <>
                <Badge>Sample</Badge>{" "}
              </>
            )}
            {suggestion.kind}
          </span>
        </div>
      ))}
    </div>
  );
}
