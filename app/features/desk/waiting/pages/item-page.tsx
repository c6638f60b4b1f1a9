import { Form, Link } from "react-router";
import { ExternalLink } from "../../../../ui/external-link.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { waitingPath } from "../../model.ts";
import { imagePath } from "../model.ts";
import type { ItemView } from "../view.server.ts";
import { EventDecision, StoryDecision } from "./decisions.tsx";
import { MessageDecision } from "./message-decision.tsx";

type Props = { item: ItemView; refusal: Refusal | undefined };

const labels = { story: "Story", event: "Event", message: "Message" } as const;

/** Everything that an editor needs to decide about one item, and the decision. */
export function ItemPage({ item, refusal }: Props) {
  const { kind, title, text, images, event, message } = item;
  return (
    <article>
      <p>
        <Link to={waitingPath} className="waiting-back text-link">
          ← Waiting
        </Link>
      </p>
      <p className="waiting-meta">
        <b>{labels[kind]}</b> {item.received}
      </p>
      <h1 className="desk-heading wrap-anywhere">{message ? message.about : title}</h1>
      <p className="waiting-meta wrap-anywhere">
        {item.sender ? `From ${item.sender}` : "We have no name or email address of the sender."}
      </p>
      {refusal && (
        <p role="alert" className="desk-error mt-4">
          {refusal.summary}
        </p>
      )}
      <DecidedNote item={item} />
      <Checks item={item} />
      {event && (
        <dl className="waiting-facts">
          {event.facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="wrap-anywhere">
                {label === "Link" ? (
                  <ExternalLink href={value} className="text-link">
                    {value}
                  </ExternalLink>
                ) : (
                  value
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="waiting-text">{text}</div>
      {images.map(({ id, alt, width, height }) => (
        <figure key={id} className="waiting-figure">
          <img src={imagePath(id)} alt={alt} width={width} height={height} loading="lazy" />
          <figcaption className="desk-note">{alt || "No description"}</figcaption>
        </figure>
      ))}
      {message && <MessageDecision item={item} message={message} refusal={refusal} />}
      {item.story && item.state === "waiting" && (
        <StoryDecision item={item} story={item.story} refusal={refusal} />
      )}
      {event && item.state === "waiting" && (
        <EventDecision item={item} event={event} refusal={refusal} />
      )}
    </article>
  );
}

/** What is at the path of an item that was deleted. */
export const NoItem = () => (
  <div className="waiting-empty">
    <p className="waiting-quiet">It is gone.</p>
    <p>
      It was deleted, or the link is not complete.{" "}
      <Link to={waitingPath} className="text-link">
        See what waits
      </Link>
    </p>
  </div>
);

function Checks({ item: { findings, othersFromNetwork } }: { item: ItemView }) {
  return (
    <section aria-labelledby="checks" className="waiting-checks">
      <h2 id="checks" className="waiting-checks-title">
        What the checks found
      </h2>
      {findings.length === 0 && <p>Nothing unusual.</p>}
      <ul>
        {findings.map(({ label, why, link }) => (
          <li key={label}>
            <strong>{label}.</strong> {why}{" "}
            {link && (
              <Link to={link} reloadDocument className="text-link">
                Compare
              </Link>
            )}
          </li>
        ))}
      </ul>
      <p className="text-ink-soft text-sm">
        {othersFromNetwork === 0
          ? "Nothing else came from the same network that day."
          : `${othersFromNetwork} ${othersFromNetwork === 1 ? "other" : "others"} from the same network that day.`}
      </p>
    </section>
  );
}

const states = {
  approved: "Approved",
  rejected: "Rejected",
  done: "Done",
  down: "Approved, and taken down",
  draft: "Approved, and now a draft",
} as const;

/** Says who has decided about the item, and offers to restore it from the bin. */
function DecidedNote({ item: { state, decision, page } }: { item: ItemView }) {
  if (state === "waiting") return null;
  return (
    <div className="waiting-banner mt-4">
      <div className="waiting-undo">
        <p>
          <strong>{states[state]}.</strong> {decision ? `${decision}. ` : ""}
          {page && (
            <Link to={page} reloadDocument className="text-link">
              See the page
            </Link>
          )}
        </p>
        {state === "rejected" && (
          <Form method="post">
            <button type="submit" name="act" value="restore" className="desk-button">
              Restore
            </button>
          </Form>
        )}
      </div>
    </div>
  );
}
