import type { readShownOfficialAlerts } from "./read-shown.server.ts";

type Props = { alerts: Awaited<ReturnType<typeof readShownOfficialAlerts>> };

/** The official alerts that apply now, word for word. */
export const OfficialAlerts = ({ alerts }: Props) => (
  <section id="official-alerts" aria-labelledby="official" className="mt-6">
    <h2 id="official" className="text-2xl">
      Official alerts
    </h2>
    {alerts.map(({ id, headline, paragraphs, area, sender, sent, ends }) => (
      <article key={id} id={id} className="callout mt-3 max-w-3xl">
        <h3 className="text-lg">{headline}</h3>
        {paragraphs.map((text) => (
          <p key={text} className="mt-2 whitespace-pre-line">
            {text}
          </p>
        ))}
        <p className="mt-2 text-ink-soft text-sm">
          For {area}. Sent by {sender}, <time dateTime={sent.iso}>{sent.shown}</time>, until{" "}
          <time dateTime={ends.iso}>{ends.shown}</time>. Word for word from the National Weather
          Service.
        </p>
      </article>
    ))}
  </section>
);
