import { useEffect, useRef } from "react";
import { Badge } from "../../../ui/badge.tsx";
import { ExternalLinkIcon } from "../../../ui/icons.tsx";
import type { Suggestion } from "../model.ts";

type Props = {
  id: string;
  suggestions: Suggestion[];
  activeIndex: number;
  onChoose(suggestion: Suggestion): void;
};

/** The list under the search box. The box keeps the focus and refers to the active option. */
export function Suggestions({ id, suggestions, activeIndex: active, onChoose }: Props) {
  const activeOption = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active >= 0) activeOption.current?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div id={id} role="listbox" aria-label="Suggestions" className="panel search-suggestions">
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
          onClick={() => onChoose(suggestion)}
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
