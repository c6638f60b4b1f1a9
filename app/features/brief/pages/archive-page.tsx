import { ChoiceLinks } from "../../../ui/choices/choice-links.tsx";
import { Link } from "../../../ui/link.tsx";
import { Follow } from "../../../ui/share/follow.tsx";
import { type BriefListItem, briefArchivePath, briefDayPath, briefFeedPath } from "../model.ts";

export type BriefArchive = {
  name: string;
  heading: string;
  intro: string;
  origin: string;
  /** Null before the first brief. */
  month: { value: string; label: string } | null;
  months: { value: string; label: string }[];
  briefs: BriefListItem[];
};

export function BriefArchivePage({ archive }: { archive: BriefArchive }) {
  const { name, heading, intro, origin, month, months, briefs } = archive;
  return (
    <div className="page pt-8 lg:pt-10">
      <div className="head-row">
        <h1 className="kicker">{heading}</h1>
        <Follow origin={origin} title={name} feed={{ path: briefFeedPath }} />
      </div>
      <p className="mt-2 text-ink-soft text-sm md:text-base">{intro}</p>
      <div className="mt-8 grid gap-x-14 gap-y-10 lg:grid-cols-[3fr_1fr]">
        <div className="min-w-0">
          {month === null ? (
            <p className="text-lg">
              There is no brief yet.{" "}
              <Link to="/news" className="text-link">
                Read the newest headlines
              </Link>
            </p>
          ) : (
            <section aria-labelledby="month" className="story-month">
              <h2 id="month" className="text-2xl">
                {month.label}
              </h2>
              <ul>
                {briefs.map(({ day, date, titles }) => (
                  <li key={day} className="story-row">
                    <article>
                      <div className="min-w-0 flex-1">
                        <h3 className="text-xl">
                          <Link to={briefDayPath(day)} className="cover-link">
                            {date}
                          </Link>
                        </h3>
                        <p className="mt-1 text-ink-soft">{titles.join(" · ")}</p>
                      </div>
                    </article>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        {months.length > 1 && (
          <aside aria-label="More briefs" className="no-print">
            <ChoiceLinks
              title="By month"
              all="Latest"
              current={month?.value ?? null}
              choices={months}
              to={(value) =>
                value === null ? briefArchivePath : `${briefArchivePath}?month=${value}`
              }
              isOpen
            />
          </aside>
        )}
      </div>
    </div>
  );
}
