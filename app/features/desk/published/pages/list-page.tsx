import { Form } from "react-router";
import { Link } from "../../../../ui/link.tsx";
import type { PublishedItem } from "../../kinds/kind.ts";
import { kindLabels } from "../../model.ts";
import { Pages } from "../../pages/parts.tsx";
import {
  type ItemFilter,
  type ItemKind,
  type ItemState,
  itemFilters,
  itemPath,
  publishedPath,
} from "../model.ts";

type Props = {
  items: (Omit<PublishedItem, "at" | "announcedAt"> & { date: string })[];
  count: number;
  /** The kinds from which editors choose. */
  kinds: ItemKind[];
  filter: { text: string; kind: ItemKind | null; only: ItemFilter | null };
  page: number;
  last: number;
};

const filterLabels: Record<ItemFilter, string> = {
  published: "On the site",
  pinned: "Pinned",
  live: "Live",
  down: "Taken down",
  draft: "Draft",
};

export function ListPage({ items, count, kinds, filter, page, last }: Props) {
  const { text, kind, only } = filter;
  const toPath = (number: number) =>
    `${publishedPath}?${new URLSearchParams({ q: text, kind: kind ?? "", only: only ?? "", page: String(number) })}`;
  return (
    <>
      <h1 className="desk-heading">Published</h1>
      {/* With keys, the fields show the list's own filter after a link or Back. */}
      <Form action={publishedPath} className="flex flex-wrap gap-2" role="search">
        <input
          type="search"
          key={filter.text}
          name="q"
          defaultValue={filter.text}
          aria-label="Words of the title"
          placeholder="Words of the title"
          className="field min-w-0 flex-1 basis-full sm:basis-0"
        />
        <Choice
          name="kind"
          label="Kind"
          any="All kinds"
          options={kinds.map((kind) => [kind, kindLabels[kind].many])}
          chosen={filter.kind}
        />
        <Choice
          name="only"
          label="State"
          any="Any state"
          options={itemFilters.map((only) => [only, filterLabels[only]])}
          chosen={filter.only}
        />
        <button type="submit" className="desk-button">
          Search
        </button>
      </Form>
      <p className="desk-note" role="status">
        {count === 0 ? "Nothing was found." : `${count.toLocaleString("en-US")} found`}
      </p>
      <ul className="desk-list">
        {items.map((item) => (
          <li key={`${item.kind} ${item.slug}`} className="desk-row relative">
            <p className="min-w-0">
              <Link to={itemPath(item.kind, item.slug)} className="cover-link desk-item">
                {item.title}
              </Link>{" "}
              <StateMarks {...item} />
              <small>
                {kindLabels[item.kind].one} · {item.date} · {item.from}
              </small>
            </p>
          </li>
        ))}
      </ul>
      <Pages page={page} last={last} toPath={toPath} />
    </>
  );
}

type ChoiceProps = {
  name: string;
  label: string;
  any: string;
  options: [value: string, label: string][];
  chosen: string | null;
};

const Choice = ({ name, label, any, options, chosen }: ChoiceProps) => (
  <select
    key={chosen}
    name={name}
    defaultValue={chosen ?? ""}
    aria-label={label}
    className="field w-auto min-w-0 flex-auto px-2 sm:flex-none"
  >
    <option value="">{any}</option>
    {options.map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
);

const stateLabels = { published: null, down: "Taken down", draft: "Draft" };

type MarksProps = { state: ItemState; isPinned?: boolean | undefined; isLive?: boolean };

/** An item that is taken down keeps its pin for its return, but is not on the front page now. */
export function StateMarks({ state, isPinned, isLive = false }: MarksProps) {
  const isPublished = state === "published";
  const labels = [
    stateLabels[state],
    isPublished && isPinned ? "Pinned" : null,
    isPublished && isLive ? "Live" : null,
  ].filter((label) => label !== null);
  return labels.map((label) => (
    <span key={label} className="mark mr-1">
      {label}
    </span>
  ));
}
