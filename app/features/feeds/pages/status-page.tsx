import type { toStatusRows } from "../health/health.server.ts";

type SourceRow = ReturnType<typeof toStatusRows>[number];

/** The order of the rows: sources that need attention come first. */
const stateOrder = { failing: 0, "not-asked-yet": 1, good: 2 };

export function StatusPage({ sources }: { sources: SourceRow[] }) {
  const sorted = sources.toSorted((a, b) => stateOrder[a.state] - stateOrder[b.state]);
  return (
    <div className="page pt-8 lg:pt-10">
      <h1 className="kicker">Sources</h1>
      <p className="mt-6 font-semibold text-xl">{summarize(sources)}</p>
      <p className="mt-3 max-w-3xl text-ink-soft">
        Our headlines come from other newsrooms, some of our events from other calendars, and the
        weather and official alerts from the National Weather Service. We check each source several
        times a day. When a source does not respond, its earlier headlines and events stay on our
        pages. Weather that is older than three hours disappears, and so do official alerts that we
        could not check for half an hour.
      </p>
      {sources.length > 0 && (
        <table className="status-table mt-8 w-full text-left text-sm">
          <thead>
            <tr className="border-line border-b align-bottom">
              {["Source", "Section", "Last successful check", "Problem"].map((name) => (
                <th key={name} scope="col" className="font-semibold">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ id, name, sections, state, lastSuccess, problem }) => (
              <tr key={id} id={id} className="border-line border-b align-top">
                <th scope="row" className="font-semibold">
                  {name}
                </th>
                <td>{sections}</td>
                <td>
                  <span className="sm:hidden">Last successful check: </span>
                  {lastSuccess ?? "Not yet"}
                </td>
                <td className={problem ? "text-crab" : "max-sm:hidden text-ink-soft"}>
                  <span className="sm:hidden">Problem: </span>
                  {problem ?? (state === "good" ? "None" : "Not checked yet")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="mt-6 text-sm">
        Machine-readable, with more details:{" "}
        <a href="/status.json" className="text-link">
          status.json
        </a>
      </p>
    </div>
  );
}

export function summarize(sources: Pick<SourceRow, "state">[]): string {
  const total = sources.length;
  const failing = sources.filter(({ state }) => state === "failing").length;
  const unchecked = sources.filter(({ state }) => state === "not-asked-yet").length;
  const sourceCount = total === 1 ? "1 source" : `${total} sources`;
  if (total === 0) return "No sources are set up yet.";
  if (failing > 0)
    return `${failing} of ${sourceCount} ${failing === 1 ? "needs" : "need"} attention.`;
  if (unchecked === total) return `We have not checked our ${sourceCount} yet.`;
  if (unchecked > 0)
    return `${total - unchecked} of ${sourceCount} are fine. We have not checked the others yet.`;
  return total === 1 ? "Our 1 source is fine." : `All ${sourceCount} are fine.`;
}
