import { Form } from "react-router";
import { SearchIcon } from "../../ui/icons.tsx";
import { queryLength } from "./model.ts";

/** A plain GET form, the same with and without JavaScript. */
export function SearchBox({ label, query }: { label: string; query?: string }) {
  return (
    <search aria-label={label}>
      <Form action="/search" className="relative flex items-center">
        <input
          type="search"
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
