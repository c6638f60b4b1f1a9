import type { ReactNode } from "react";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { ExternalLinkIcon } from "../../../ui/icons.tsx";
import { Link } from "../../../ui/link.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { TitleBlock, type TitleTag } from "../../../ui/title-list.tsx";
import { NewMark } from "../../device/visits/new-mark.tsx";
import { SaveButton } from "../../saved/save-button.tsx";
import type { GoodToKnow, Headline, HeadlineBlock, ShortList } from "../model.ts";

type Props = {
  headlines: Headline[];
  /** How many rows, from the first, show only the title, the source and the time. */
  briefCount: number;
};

export function HeadlineList({ headlines, briefCount }: Props) {
  return (
    <ul>
      {headlines.map((headline, index) => (
        <HeadlineRow key={headline.id} headline={headline} isBrief={index < briefCount} />
      ))}
    </ul>
  );
}

type HeadlineRowProps = { headline: Headline; isBrief: boolean; titleTag?: TitleTag };

/** A headline in any list: a feed, a block of /news, or the front page. */
export function HeadlineRow({ headline, isBrief, titleTag }: HeadlineRowProps) {
  const { title, link, source, summary, time, foundAt, also, paywall, label } = headline;
  return (
    <Row
      title={
        <>
          <NewMark id={link} time={foundAt} />
          <ExternalLink href={link} className="cover-link block">
            {title}
            <ExternalLinkIcon />
          </ExternalLink>
        </>
      }
      summary={summary}
      isBrief={isBrief}
      titleTag={titleTag}
      button={<SaveButton item={{ url: link, title, kind: "headline", source }} />}
    >
      <span className="feed-row-name">
        {label !== undefined && (
          <>
            <span className="font-semibold text-crab">{label}</span> ·{" "}
          </>
        )}
        <span className="font-semibold">{source}</span>
      </span>
      <span>
        {"\u00a0· "}
        <TimeAgo time={time} />
        {paywall && "\u00a0·\u00a0"}
      </span>
      {paywall && <span className="feed-row-paywall">Subscription</span>}
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
          <ExternalLink href={link} className="relative z-1 text-link">
            {source}
          </ExternalLink>
        </span>
      ))}
    </>
  );
}

type GoodToKnowProps = { items: GoodToKnow[]; briefCount: number; signature: string };

export function GoodToKnowList({ items, briefCount, signature }: GoodToKnowProps) {
  return (
    <ul>
      {items.map((item, index) => (
        <GoodToKnowRow
          key={item.title}
          item={item}
          signature={signature}
          isBrief={index < briefCount}
        />
      ))}
    </ul>
  );
}

type GoodToKnowRowProps = {
  item: GoodToKnow;
  signature: string;
  isBrief: boolean;
  titleTag?: TitleTag;
};

/**
 * For an item about one of our pages, the title is the link. For an item about another site, the
 * name of that site is the link.
 */
export function GoodToKnowRow({ item, signature, isBrief, titleTag }: GoodToKnowRowProps) {
  const { title, link, summary } = item;
  return (
    <Row
      title={
        typeof link === "string" ? (
          <Link to={link} className="cover-link block">
            {title}
          </Link>
        ) : (
          title
        )
      }
      summary={summary}
      isBrief={isBrief}
      titleTag={titleTag}
    >
      <span className="feed-row-name">
        <span className="font-semibold">{signature}</span>
        {typeof link !== "string" && (
          <>
            {" · "}
            <ExternalLink href={link.url} className="cover-link text-accent underline">
              {link.name}
              <ExternalLinkIcon />
            </ExternalLink>
          </>
        )}
      </span>
    </Row>
  );
}

type RowProps = {
  title: ReactNode;
  summary: string;
  /** Whether the row leaves out the summary. In a feed, five such rows fill the collapsed box. */
  isBrief: boolean;
  titleTag: TitleTag | undefined;
  /**
   * The button is at the end of the line with the source, where it takes no space from the title.
   */
  button?: ReactNode;
  children: ReactNode;
};

/** A row of a feed. The link with the class `cover-link` can be clicked anywhere in the row. */
function Row({ title, summary, isBrief, titleTag: Title = "h3", button, children }: RowProps) {
  return (
    <li className={isBrief ? "feed-row feed-row-brief" : "feed-row"}>
      <article>
        <Title className="feed-row-title">{title}</Title>
        {!isBrief && summary !== "" && <p className="mt-1 text-sm">{summary}</p>}
        <div className="save-row">
          <p className="feed-row-source">{children}</p>
          {button}
        </div>
      </article>
    </li>
  );
}

export function ShortListRows({ list, titleTag }: { list: ShortList; titleTag?: TitleTag }) {
  if (list.kind === "headlines")
    return (
      <ul className="title-list">
        {list.headlines.map((headline) => (
          <HeadlineRow key={headline.id} headline={headline} isBrief titleTag={titleTag} />
        ))}
      </ul>
    );
  return (
    <ul className="title-list">
      {list.items.map((item) => (
        <GoodToKnowRow
          key={item.title}
          item={item}
          signature={list.signature}
          titleTag={titleTag}
          // One brief row would leave the place of the others empty, so a single item is shown in
          // full.
          isBrief={list.items.length > 1}
        />
      ))}
    </ul>
  );
}

/** A new city has no headlines and no good-to-know items yet. */
export const isEmptyList = (list: ShortList): boolean =>
  list.kind === "good-to-know" && list.items.length === 0;

/** The newest headlines of one section, on /news. */
export function SectionBlock({ block: { label, path, list } }: { block: HeadlineBlock }) {
  return (
    <TitleBlock label={label} to={path}>
      {isEmptyList(list) ? (
        <p className="text-ink-soft text-note">No headlines yet.</p>
      ) : (
        <>
          {list.kind === "good-to-know" && (
            <p className="font-semibold text-crab text-label">Good to know</p>
          )}
          <ShortListRows list={list} />
        </>
      )}
    </TitleBlock>
  );
}
