import { useEffect, useId, useRef, useState } from "react";
import { Form, useLocation } from "react-router";
import { SearchIcon } from "../../ui/icons.tsx";
import { normaliseQuery, queryLength } from "./model.ts";
import { useSlash } from "./use-slash.ts";
import { useSuggestions } from "./use-suggestions.ts";

type Props = {
  label: string;
  /** The one box to which the `/` key leads. */
  isMain?: boolean;
};

/** A plain GET form, the same with and without JavaScript, which adds suggestions. On the search page it holds what was asked. */
export function SearchBox({ label, isMain = false }: Props) {
  const { pathname, search } = useLocation();
  const query = pathname === "/search" ? normaliseQuery(new URLSearchParams(search).get("q")) : "";
  const field = useRef<HTMLInputElement>(null);
  const [isLive, setLive] = useState(false);
  const list = useId();
  const { suggestions, active, ask, close, open, onKeyDown } = useSuggestions();
  useSlash(field, isMain);
  useEffect(() => setLive(true), []);
  useEffect(() => {
    if (field.current) field.current.value = query;
  }, [query]);
  const isOpen = suggestions.length > 0;
  // Without scripts nothing would ever open, and so it is not said to.
  const combobox = isLive && {
    ...{ role: "combobox", "aria-autocomplete": "list" as const, "aria-expanded": isOpen },
    ...(isOpen && { "aria-controls": list }),
    ...(active >= 0 && { "aria-activedescendant": `${list}-${active}` }),
  };
  return (
    <search aria-label={label}>
      <Form action="/search" className="relative flex items-center" onSubmit={close}>
        <input
          ref={field}
          type="search"
          dir="auto"
          name="q"
          maxLength={queryLength}
          defaultValue={query}
          placeholder="Search"
          aria-label="Search"
          autoComplete="off"
          className="field min-h-10 py-1 pr-11"
          onInput={({ currentTarget }) => ask(currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={close}
          {...combobox}
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
          <div id={list} role="listbox" aria-label="Suggestions" className="search-suggestions">
            {suggestions.map((suggestion, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box, which names the active option
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the box's
              <div
                key={suggestion.link + suggestion.title}
                id={`${list}-${index}`}
                role="option"
                aria-selected={index === active}
                className="search-suggestion"
                // The press of a button would take the focus, and its loss closes the list before the click.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => open(suggestion)}
              >
                <span className="line-clamp-2">{suggestion.title}</span>
                <span className="text-ink-soft text-sm">{suggestion.kind}</span>
              </div>
            ))}
          </div>
        )}
      </Form>
    </search>
  );
}
