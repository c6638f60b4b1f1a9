import { useEffect, useId, useRef } from "react";
import { Form, useLocation } from "react-router";
import { useHydrated } from "../../../ui/hooks/use-hydrated.ts";
import { SearchIcon } from "../../../ui/icons.tsx";
import { normalizeQuery } from "../model.ts";
import "./slash-key.ts";
import { Suggestions } from "./suggestions.tsx";
import { useSuggestions } from "./use-suggestions.ts";

type Props = {
  label: string;
  /** Whether this is the box that the `/` key focuses. */
  isMain?: boolean;
};

/**
 * A plain GET form. It works without JavaScript, which only adds suggestions. On the search page,
 * the form contains the current query.
 */
export function SearchBox({ label, isMain = false }: Props) {
  const { pathname, search } = useLocation();
  const query = pathname === "/search" ? normalizeQuery(new URLSearchParams(search).get("q")) : "";
  const field = useRef<HTMLInputElement>(null);
  const isHydrated = useHydrated();
  const listId = useId();
  const { suggestions, active, requestSuggestions, close, open, onKeyDown } = useSuggestions(() => {
    // The reader has chosen a suggestion and leaves the page, so the typed text is no longer
    // needed.
    if (field.current) field.current.value = "";
  });
  // The field does not change on the first render, because the reader may have typed before the
  // scripts were loaded.
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
