import { useHasPage } from "../../../ui/hooks/use-has-page.ts";
import { TitleBlock, TitleList, type TitleTag } from "../../../ui/title-list.tsx";
import { eventsPath, type Filter, filterHref, noFilter, type WallItem } from "../model.ts";

type Props = {
  events: WallItem[];
  /** Whether to show only the times, on a page about one day. */
  isOneDay?: boolean;
  titleTag?: TitleTag;
};

export function EventTitles({ events, isOneDay = false, titleTag }: Props) {
  return (
    <TitleList
      titleTag={titleTag}
      items={events.map(({ path, title, dateTile, timeLine, location, isSample }) => ({
        to: path,
        title,
        isSample,
        facts: [
          ...(isOneDay ? [] : [`${dateTile.weekday}, ${dateTile.month} ${dateTile.day}`]),
          timeLine,
          ...(isOneDay && location !== "" ? [location] : []),
        ].join("\u00a0· "),
      }))}
    />
  );
}

type BlockProps = {
  label: string;
  events: WallItem[];
  filter?: Filter;
};

/** The next events as a block of titles. Nothing in a city without events. */
export function EventsBlock({ label, events, filter = noFilter }: BlockProps) {
  const { place } = filter;
  if (!useHasPage()(eventsPath)) return null;
  return (
    <TitleBlock label={label} to={filterHref(eventsPath, filter)}>
      {events.length > 0 ? (
        <EventTitles events={events} />
      ) : (
        <p className="text-ink-soft text-sm">
          No events {place ? `in ${place.name} ` : ""}are announced yet.
        </p>
      )}
    </TitleBlock>
  );
}
