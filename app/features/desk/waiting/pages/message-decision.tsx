import { Form, useNavigation } from "react-router";
import { TextArea } from "../../../forms/fields.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { maxAnswerLength } from "../model.ts";
import type { ItemView } from "../view.server.ts";

type Props = {
  item: ItemView;
  message: NonNullable<ItemView["message"]>;
  refusal: Refusal | undefined;
};

/** The answers to a message, and what an editor can do with it. */
export function MessageDecision({ item, message, refusal }: Props) {
  const isBusy = useNavigation().state !== "idle";
  const { state, hasEmail } = item;
  const isWaiting = state === "waiting";
  const canAnswer = hasEmail && state !== "rejected";
  return (
    <>
      {message.answers.map(({ id, editorName, time, text }) => (
        <section key={id} className="waiting-answer">
          <h2 className="waiting-meta">
            <b>{editorName} answered</b> {time}
          </h2>
          <div className="waiting-text">{text}</div>
        </section>
      ))}
      {(isWaiting || canAnswer) && (
        <Form method="post" className="desk-form waiting-decision">
          <input type="hidden" name="seen" value={isWaiting ? "new" : state} />
          {canAnswer && (
            <TextArea
              name="answer"
              label="Answer by email"
              hint="From the newsroom's address, with the message quoted below. It is sent in ten minutes; until then, you can undo it."
              rows={6}
              maxLength={maxAnswerLength}
              refusal={
                refusal ?? {
                  kind: "refused",
                  status: 422,
                  summary: "",
                  errors: {},
                  typed: { answer: message.draft },
                }
              }
            />
          )}
          <div className="waiting-bar waiting-bar-shown">
            {canAnswer && (
              <button
                type="submit"
                name="act"
                value="answer"
                disabled={isBusy}
                className="button button-gold"
              >
                Send
              </button>
            )}
            {isWaiting && (
              <>
                <button
                  type="submit"
                  name="act"
                  value="done"
                  disabled={isBusy}
                  className={`button ${canAnswer ? "button-plain" : "button-gold"}`}
                >
                  Done
                </button>
                <button
                  type="submit"
                  name="act"
                  value="reject"
                  disabled={isBusy}
                  className="button button-plain"
                >
                  Reject
                </button>
              </>
            )}
          </div>
        </Form>
      )}
    </>
  );
}
