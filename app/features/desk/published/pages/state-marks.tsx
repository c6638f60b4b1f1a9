import type { ItemState } from "../model.ts";

const stateLabels = { published: null, down: "Taken down", draft: "Draft again" };

type Props = { state: ItemState; isPinned?: boolean | undefined; isLive?: boolean };

/** What is taken down is not on the front page, although it will be pinned there again. */
export function StateMarks({ state, isPinned, isLive = false }: Props) {
  const isPublished = state === "published";
  const labels = [
    stateLabels[state],
    isPublished && isPinned ? "Pinned" : null,
    isPublished && isLive ? "Live" : null,
  ].filter((label) => label !== null);
  return labels.map((label) => (
    <span key={label} className="mark mr-1">
      {label}
    </span>
  ));
}
