import { useEffect } from "react";
import { useDeviceValue } from "../../../ui/hooks/use-device-value.ts";
import { addNewItem } from "./new-items.ts";
import { newSince } from "./visits.ts";

type Props = {
  /** Identifies the item. An item that is on a page twice counts once. */
  id: string;
  /** When we published the item, or found the headline. A string is in ISO 8601 format. */
  time: Date | string;
};

/** Marks an item that is newer than the last visit. It takes no space in its positioned element. */
export function NewMark({ id, time }: Props) {
  const since = useDeviceValue(newSince);
  const isNew = since !== null && new Date(time).getTime() > since;
  useEffect(() => (isNew ? addNewItem(id) : undefined), [isNew, id]);
  if (!isNew) return null;
  return (
    <span className="new-mark">
      <span className="sr-only">New: </span>
    </span>
  );
}
