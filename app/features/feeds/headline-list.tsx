import { Link } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { OutwardIcon } from "../../ui/icons.tsx";
import { OutsideLink } from "../../ui/outside-link.tsx";
import type { Headline } from "./model.ts";

type Props = {
  headlines: Headline[];
  /** One line of each summary, so that more headlines have room. */
  isBrief: boolean;
};

export function HeadlineList({ headlines, isBrief }: Props) {
  return (
    <ul className="divide-y divide-line">
      {headlines.map((headline) => (
        <li key={headline.id} className="px-5 py-2.5">
          <HeadlineEntry headline={headline} isBrief={isBrief} />
        </li>
      ))}
    </ul>
  );
}

function HeadlineEntry({ headline, isBrief }: { headline: Headline; isBrief: boolean }) {
  const { title, link, source, summary, time, also, paywall, isSample } = headline;
  const heading =
    "font-semibold font-serif text-lg leading-snug hover:underline underline-offset-4 decoration-1";
  return (
    <article>
      <h3 className="font-normal text-base tracking-normal">
        {link.startsWith("/") ? (
          <Link to={link} className={heading}>
            {title}
          </Link>
        ) : (
          <OutsideLink href={link} className={heading}>
            {title}
            <OutwardIcon />
          </OutsideLink>
        )}
      </h3>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-ink-soft text-sm">
        {isSample && <Badge>Sample</Badge>}
        <span className="font-semibold">{source}</span>
        <time dateTime={time.iso} className="before:mr-2 before:content-['·']">
          {time.shown}
        </time>
        {paywall && <span>· Subscription</span>}
      </p>
      {summary !== "" && <p className={`mt-1 text-sm ${isBrief ? "line-clamp-1" : ""}`}>{summary}</p>}
      {also.length > 0 && (
        <p className="mt-1 text-ink-soft text-sm">
          Also at{" "}
          {also.map(({ source: name, link: address }, index) => (
            <span key={address}>
              {index > 0 && ", "}
              <OutsideLink href={address} className="text-link">
                {name}
              </OutsideLink>
            </span>
          ))}
        </p>
      )}
    </article>
  );
}
