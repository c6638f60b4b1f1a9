import { useEffect, useId, useRef } from "react";
import { Form, useLocation } from "react-router";
import { slashKeyOff } from "../../../lib/device/slash-setting.ts";
import { Badge } from "../../../ui/badge.tsx";
import { useHydrated } from "../../../ui/hooks/use-hydrated.ts";
import { ExternalLinkIcon, SearchIcon } from "../../../ui/icons.tsx";
import { normalizeQuery, type Suggestion } from "../model.ts";
import { useSuggestions } from "./use-suggestions.ts";

type Props = {
  label: string;
  /** Whether this is the box that the `/` key focuses. */
  isMain?: boolean;
};

/** A plain GET form, which works without JavaScript. JavaScript only adds suggestions. */
export function SearchBox({ label, isMain = false }: Props) {
  const { pathname, search } = useLocation();
  const query = pathname === "/search" ? normalizeQuery(new URLSearchParams(search).get("q")) : "";
  const field = useRef<HTMLInputElement>(null);
  const isHydrated = useHydrated();
  const listId = useId();
  const { suggestions, active, requestSuggestions, close, open, onKeyDown } = useSuggestions(() => {
    // The reader has chosen a suggestion, so the typed text is no longer needed.
    if (field.current) field.current.value = "";
  });
  // The first render does not change the field: the reader may have typed before scripts were
  // loaded.
  const lastQuery = useRef(query);
  useEffect(() => {
    if (lastQuery.current === query) return;
    lastQuery.current = query;
    if (field.current) field.current.value = query;
  }, [query]);
  const isOpen = suggestions.length > 0;
  // Without scripts the list never opens, so the roles of a combobox are added only with scripts.
  const comboboxProps = isHydrated && {
    role: "combobox",
    "aria-autocomplete": "list" as const,
    "aria-expanded": isOpen,
    ...(isOpen && { "aria-controls": listId }),
    ...(active >= 0 && { "aria-activedescendant": `${listId}-${active}` }),
  };
  return (
    <search aria-label={label}>
      <Form action="/search" className="relative flex items-center" onSubmit={close}>
        <input
          ref={field}
          type="search"
          dir="auto"
          name="q"
          defaultValue={query}
          placeholder="Search"
          aria-label="Search"
          autoComplete="off"
          className="field min-h-10 py-1 pr-11"
          onInput={({ currentTarget }) => requestSuggestions(currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={close}
          data-slash={isMain ? "" : undefined}
          {...comboboxProps}
        />
        <button
          type="submit"
          className="icon-button absolute right-0 text-ink-soft hover:text-ink"
          aria-label="Search"
          data-tooltip="Search"
        >
          <SearchIcon />
        </button>
        {isOpen && (
          <Suggestions id={listId} suggestions={suggestions} activeIndex={active} onChoose={open} />
        )}
      </Form>
    </search>
  );
}

const editableFields = "input, textarea, select, [contenteditable]";

/**
 * The `/` key focuses the search box, unless the reader is typing into a field or has turned the
 * key off. If the box is in a menu, the menu opens.
 */
function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
  if (key !== "/" || ctrlKey || metaKey || altKey || defaultPrevented) return;
  const field = document.querySelector<HTMLInputElement>("input[data-slash]");
  if (!field || (target instanceof Element && target.closest(editableFields)) || slashKeyOff.read())
    return;
  event.preventDefault();
  if (!field.checkVisibility()) field.closest<HTMLElement>("[popover]")?.showPopover();
  field.focus({ preventScroll: true });
  field.select();
}

// This is not in a React effect, because a reader may press the key and go on typing before React
// has hydrated the page.
if (typeof document !== "undefined") document.addEventListener("keydown", onKey);

type SuggestionsProps = {
  id: string;
  suggestions: Suggestion[];
  activeIndex: number;
  onChoose(suggestion: Suggestion): void;
};

/** The list under the search box. The box keeps the focus and refers to the active option. */
function Suggestions({ id, suggestions, activeIndex: active, onChoose }: SuggestionsProps) {
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
          // Otherwise, pressing the mouse button would move the focus out of the box, which closes
          // the list before the click.
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
