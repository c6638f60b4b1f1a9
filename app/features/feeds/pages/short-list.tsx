import { TitleBlock, type TitleTag } from "../../../ui/title-list.tsx";
import type { HeadlineBlock, ShortList } from "../model.ts";
import { GoodToKnowRow, HeadlineRow } from "./headline-list.tsx";

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
          // A single item would leave the place of the other rows empty.
          isBrief={list.items.length > 1}
        />
      ))}
    </ul>
  );
}

/** A new city has no headlines and no notes yet. */
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
