import { donePath } from "../model.ts";
import { ListPage, type ListProps } from "./list-page.tsx";

/** Messages that were answered or marked as done. */
export const DonePage = ({ days, ...list }: ListProps & { days: number }) => (
  <ListPage
    {...list}
    title="Done"
    path={donePath}
    note={`Messages that were answered or marked as done, with the answers. They are here for ${days} days and are then deleted.`}
    empty={{ title: "Empty.", text: "No message was answered or marked as done lately." }}
  />
);
