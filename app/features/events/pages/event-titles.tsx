import { TitleList, type TitleTag } from "../../../ui/title-list.tsx";
import type { WallItem } from "../model.ts";

type Props = {
  events: WallItem[];
  /** Whether to show only the times, on a page about one day. */
  isOneDay?: boolean;
  titleTag?: TitleTag;
};

/** The next events on a page about something else. */
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
