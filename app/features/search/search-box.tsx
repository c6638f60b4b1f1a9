import { useEffect, useRef } from "react";
import { Form, useLocation } from "react-router";
import { SearchIcon } from "../../ui/icons.tsx";
import { normaliseQuery, queryLength } from "./model.ts";

/** A plain GET form, the same with and without JavaScript. On the search page it holds what was asked. */
export function SearchBox({ label }: { label: string }) {
  const { pathname, search } = useLocation();
  const query = pathname === "/search" ? normaliseQuery(new URLSearchParams(search).get("q")) : "";
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current) field.current.value = query;
  }, [query]);
  return (
    <search aria-label={label}>
      <Form action="/search" className="relative flex items-center">
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
        />
        <button
          type="submit"
          className="icon-button absolute right-0 text-ink-soft hover:text-ink"
          aria-label="Search"
          data-tooltip="Search"
        >
          <SearchIcon />
        </button>
      </Form>
    </search>
  );
}
