import { useLinkedDetails } from "../../ui/hooks/use-linked-details.ts";
import type { readShownOfficialAlerts } from "./read-shown.server.ts";

type Props = { alerts: Awaited<ReturnType<typeof readShownOfficialAlerts>> };

/**
 * The official alerts that apply now: their headlines, which open their texts, word for word. The
 * ids are inside the `<details>` elements, so that the links of the banner open them.
 */
export function OfficialAlerts({ alerts }: Props) {
  useLinkedDetails();
  return (
    <section id="official-alerts" aria-labelledby="official" className="mt-4">
      <h2 id="official" className="text-2xl">
        Official alerts
      </h2>
      {alerts.map(({ id, headline, paragraphs, area, sender, sent, ends }) => (
        <details key={id} className="callout mt-2 max-w-3xl">
          <summary className="fold">
            <h3 className="font-sans text-base tracking-normal">{headline}</h3>
          </summary>
          <div id={id} className="scroll-mt-24">
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
          </div>
        </details>
      ))}
    </section>
  );
}
