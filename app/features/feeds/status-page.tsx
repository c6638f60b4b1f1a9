export type SourceLine = {
  id: string;
  name: string;
  sections: string[];
  state: "good" | "failing" | "not-asked-yet";
  cause: string | null;
  lastSuccess: string | null;
  nextTry: string | null;
  items: number;
};

const words = { good: "Good", failing: "Failing", "not-asked-yet": "Not asked yet" };

export function StatusPage({ sources }: { sources: SourceLine[] }) {
  const failing = sources.filter(({ state }) => state === "failing").length;
  const good = sources.filter(({ state }) => state === "good").length;
  return (
    <div className="page pt-10 lg:pt-14">
      <h1 className="kicker text-4xl md:text-6xl">Sources</h1>
      <p className="mt-4 max-w-3xl text-ink-soft text-lg md:text-xl">
        Our headlines come from other newsrooms, and part of our events from other people's calendars. Each is
        asked every quarter of an hour at most; one that fails is asked less and less, but at least once a
        day, and what it last brought stays where it is.
      </p>
      <p className="mt-6 font-semibold" role="status">
        {good} of {sources.length} are well, {failing} {failing === 1 ? "is" : "are"} failing.
      </p>
      <ul className="mt-6 border-line border-t">
        {sources.map(({ id, name, sections, state, cause, lastSuccess, nextTry, items }) => (
          <li
            key={id}
            id={id}
            className="grid gap-x-8 gap-y-1 border-line border-b py-4 md:grid-cols-[1.4fr_1fr_1.6fr]"
          >
            <div>
              <h2 className="text-xl">{name}</h2>
              <p className="text-ink-soft text-sm">{sections.join(", ")}</p>
            </div>
            <p>
              <span className={state === "failing" ? "font-semibold text-crab" : "font-semibold"}>
                {words[state]}
              </span>
              {cause !== null && <span className="block text-sm">It {cause}.</span>}
            </p>
            <dl className="grid grid-cols-[auto_1fr] gap-x-3 text-sm">
              <dt className="text-ink-soft">Last success</dt>
              <dd>{lastSuccess ?? "never yet"}</dd>
              <dt className="text-ink-soft">Next try</dt>
              <dd>{nextTry ?? "within a minute"}</dd>
              <dt className="text-ink-soft">Items</dt>
              <dd>{items}</dd>
            </dl>
          </li>
        ))}
      </ul>
      <p className="mt-6 text-sm">
        The same for programs:{" "}
        <a href="/status.json" className="text-link">
          status.json
        </a>
      </p>
    </div>
  );
}
