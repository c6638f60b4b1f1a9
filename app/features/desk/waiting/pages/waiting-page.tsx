import { Link } from "../../../../ui/link.tsx";
import { kindLabels, waitingPath } from "../../model.ts";
import { allPath, toListQuery } from "../model.ts";
import { DecisionBar, reasonForMany } from "./decision-bar.tsx";
import { ListPage, type ListProps } from "./list-page.tsx";

/** Everything that waits for an editor, newest first. */
export function WaitingPage(list: ListProps) {
  const { kind, total, rows, refusal } = list;
  const noun = kind ? kindLabels[kind].many.toLowerCase() : "items";
  const hasOnlyMessages = rows.every((row) => row.kind === "message");
  return (
    <ListPage
      {...list}
      title="Waiting"
      path={waitingPath}
      empty={{
        title: "All quiet.",
        text: `${kind ? `No ${noun} wait.` : "Nothing waits for a decision."} What readers send next appears here.`,
      }}
      selectAll={
        total > 1 && (
          // With scripts, a checkbox selects all rows of a single page.
          <Link
            to={allPath + toListQuery({ kind, page: 1 })}
            className={`desk-tap text-link ${total === rows.length ? "scripts:hidden" : ""}`}
          >
            Select all {total.toLocaleString("en-US")} {noun}
          </Link>
        )
      }
      bar={
        <DecisionBar
          accept={<AcceptLabel />}
          reasonHint={hasOnlyMessages ? undefined : reasonForMany}
          refusal={refusal}
        />
      }
    />
  );
}

/** The style sheet hides what is not about the checked rows. */
const AcceptLabel = () => (
  <>
    <span className="waiting-approve">Approve</span>
    <span className="waiting-approve waiting-done"> / </span>
    <span className="waiting-done">Done</span>
  </>
);
