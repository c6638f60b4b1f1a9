import type { ReactNode } from "react";
import { Link } from "react-router";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { ExternalLinkIcon } from "../../../ui/icons.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { NewMark } from "../../device/visits/new-mark.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import type { GoodToKnow, Headline } from "../model.ts";

type Props = {
  headlines: Headline[];
  /** Whether to show only the title, the source and the time, so that exactly five rows fit. */
  isBrief: boolean;
};

export function HeadlineList({ headlines, isBrief }: Props) {
  return (
    <Rows isBrief={isBrief}>
      {headlines.map((headline) => (
        <HeadlineRow key={headline.id} headline={headline} isBrief={isBrief} />
      ))}
    </Rows>
  );
}

type HeadlineRowProps = {
  headline: Headline;
  isBrief: boolean;
  /** Whether to show how long ago the headline was published, instead of when. */
  showAge?: boolean;
};

/** A headline in any list: a feed, a block of /news, or the front page. */
export function HeadlineRow({ headline, isBrief, showAge = false }: HeadlineRowProps) {
  const { title, link, source, summary, time, foundAt, also, paywall, label } = headline;
  return (
    <Row
      title={
        <>
          <NewMark id={link} time={foundAt} />
          <ExternalLink href={link} className="feed-link">
            {title}
            <ExternalLinkIcon />
          </ExternalLink>
        </>
      }
      summary={isBrief ? "" : summary}
      button={<SaveButton item={{ url: link, title, kind: "headline", source }} />}
    >
      {label !== undefined && (
        <>
          <span className="font-semibold text-crab">{label}</span> ·{" "}
        </>
      )}
      <span className="font-semibold">{source}</span> ·{" "}
      {showAge ? <TimeAgo time={time} /> : <time dateTime={time.iso}>{time.shown}</time>}
      {paywall && " · Subscription"}
      {!isBrief && also.length > 0 && <AlsoAt also={also} />}
    </Row>
  );
}

function AlsoAt({ also }: Pick<Headline, "also">) {
  return (
    <>
      {" · Also at "}
      {also.map(({ source, link }, index) => (
        <span key={link}>
          {index > 0 && ", "}
          <ExternalLink href={link} className="feed-aside-link text-link">
            {source}
          </ExternalLink>
        </span>
      ))}
    </>
  );
}

type GoodToKnowProps = { signature: string; isBrief: boolean };

export function GoodToKnowList({ items, ...props }: GoodToKnowProps & { items: GoodToKnow[] }) {
  return (
    <Rows isBrief={props.isBrief}>
      {items.map((item) => (
        <GoodToKnowRow key={item.title} item={item} {...props} />
      ))}
    </Rows>
  );
}

/**
 * For an item about one of our pages, the title is the link. For an item about another site, the
 * name of that site is the link.
 */
export function GoodToKnowRow({
  item: { title, link, summary },
  signature,
  isBrief,
}: GoodToKnowProps & { item: GoodToKnow }) {
  return (
    <Row
      title={
        typeof link === "string" ? (
          <Link to={link} className="feed-link">
            {title}
          </Link>
        ) : (
          title
        )
      }
      summary={isBrief ? "" : summary}
    >
      <span className="font-semibold">{signature}</span>
      {typeof link !== "string" && (
        <>
          {" · "}
          <ExternalLink href={link.url} className="feed-link feed-link-name">
            {link.name}
            <ExternalLinkIcon />
          </ExternalLink>
        </>
      )}
    </Row>
  );
}

function Rows({ isBrief, children }: { isBrief: boolean; children: ReactNode }) {
  return <ul className={isBrief ? "feed-rows-brief" : ""}>{children}</ul>;
}

type RowProps = {
  title: ReactNode;
  summary: string;
  /** At the end of the line with the source, so that it takes no space from the title. */
  button?: ReactNode;
  children: ReactNode;
};

/** A row of a feed. The link with the class `feed-link` can be clicked anywhere in the row. */
function Row({ title, summary, button, children }: RowProps) {
  return (
    <li className="feed-row">
      <article>
        <h3 className="feed-row-title">{title}</h3>
        <div className="feed-row-foot">
          <p className="feed-row-source">{children}</p>
          {button}
        </div>
        {summary !== "" && <p className="mt-1 text-sm">{summary}</p>}
      </article>
    </li>
  );
}
