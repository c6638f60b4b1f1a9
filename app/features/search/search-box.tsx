import { Form } from "react-router";
import { SearchIcon } from "../../ui/icons.tsx";
import { queryLength } from "./model.ts";

/** The header's search box: a plain GET form, the same with and without JavaScript. */
export function SearchBox() {
  return (
    <search>
      <Form action="/search" className="relative flex items-center">
        <input
          type="search"
          name="q"
          maxLength={queryLength}
          placeholder="Search Harborline"
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
