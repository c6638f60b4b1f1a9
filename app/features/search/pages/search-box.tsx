import { type ComponentType, useCallback, useEffect, useId, useRef, useState } from "react";
import { Form, useLocation } from "react-router";
import { SearchIcon } from "../../../ui/basic-icons.tsx";
import { normalizeQuery } from "../query.ts";
import type { OpenList, SuggestionsProps } from "./suggestions.tsx";

type Props = {
  label: string;
  /** Whether this is the box that the `/` key focuses. */
  isMain?: boolean;
};

/**
 * A plain GET form. It works without JavaScript, which only adds suggestions: their code loads when
 * the reader enters the field. On the search page, the form contains the current query.
 */
export function SearchBox({ label, isMain = false }: Props) {
  const { pathname, search } = useLocation();
  const query = pathname === "/search" ? normalizeQuery(new URLSearchParams(search).get("q")) : "";
  const field = useRef<HTMLInputElement>(null);
  const [isHydrated, setHydrated] = useState(false);
  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps> | null>(null);
  const [openList, setOpenList] = useState<OpenList | null>(null);
  const listId = useId();
  const loadSuggestions = useCallback(() => {
    // Without a connection, there are no suggestions.
    import("./suggestions.tsx").then(
      (module) => setSuggestions(() => module.Suggestions),
      () => {},
    );
  }, []);
  useEffect(() => {
    setHydrated(true);
    // The reader may have entered the field before this script loaded.
    if (document.activeElement === field.current) loadSuggestions();
  }, [loadSuggestions]);
  // The field does not change on the first render, because the reader may have typed before the
  // scripts were loaded.
  const lastQuery = useRef(query);
  useEffect(() => {
    if (lastQuery.current === query) return;
    lastQuery.current = query;
    if (field.current) field.current.value = query;
  }, [query]);
  // Without scripts the list never opens, so the roles of a combobox are added only with scripts.
  const comboboxProps = isHydrated && {
    role: "combobox",
    "aria-autocomplete": "list" as const,
    "aria-expanded": openList !== null,
    ...(openList && { "aria-controls": listId }),
    ...(openList?.activeId && { "aria-activedescendant": openList.activeId }),
  };
  return (
    <search aria-label={label}>
      <Form action="/search" className="relative flex items-center">
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
          onFocus={loadSuggestions}
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
        {Suggestions && <Suggestions id={listId} field={field} onChange={setOpenList} />}
      </Form>
    </search>
  );
}
