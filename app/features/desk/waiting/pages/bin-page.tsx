import { useNavigation } from "react-router";
import { binPath } from "../model.ts";
import { ListPage, type ListProps } from "./list-page.tsx";

/** What was rejected in the last days. It can be restored, so that it waits again. */
export function BinPage({ days, ...list }: ListProps & { days: number }) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <ListPage
      {...list}
      title="Bin"
      path={binPath}
      note={`What was rejected is here for ${days} days and is then deleted. For ten minutes, restoring something is the same as undoing the decision. Later, the names and email addresses of the senders of stories and events are gone.`}
      empty={{ title: "Empty.", text: "Nothing was rejected lately." }}
      bar={
        <div className="waiting-bar">
          <button type="submit" disabled={isBusy} className="button button-gold">
            Restore
          </button>
        </div>
      }
    />
  );
}
