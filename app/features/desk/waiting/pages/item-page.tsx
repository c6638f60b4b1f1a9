import { Form } from "react-router";
import { ExternalLink } from "../../../../ui/external-link.tsx";
import { useDeviceValue } from "../../../../ui/hooks/use-device-value.ts";
import { Link } from "../../../../ui/link.tsx";
import { ErrorSummary } from "../../../forms/form-shell.tsx";
import type { Refusal } from "../../../forms/model.ts";
import { unsentForm } from "../../../forms/unsent/unsent-form.ts";
import { fillFields, kindLabels, waitingPath } from "../../model.ts";
import { BackLink, Press } from "../../pages/parts.tsx";
import { deskImagePath } from "../../write/model.ts";
import { type ListPart, listPaths, listTitles, submissionPath, toListQuery } from "../model.ts";
import type { ItemView } from "../view.server.ts";
import { EventDecision, hasForm, MessageDecision, StoryDecision } from "./decisions.tsx";

type Props = {
  item: ItemView;
  /** The part of the list from which the editor came. */
  part: ListPart;
  refusal: Refusal | undefined;
};

export function ItemPage({ item, part, refusal }: Props) {
  const { kind, text, facts, images, event, message } = item;
  const isOpen = item.state === "waiting";
  const list = item.state === "rejected" ? "bin" : item.state === "done" ? "done" : "waiting";
  // After an undo, the fields contain again what the editor had typed for the decision.
  const before = refusal ?? (item.typed ? fillFields(undefined, item.typed) : undefined);
  return (
    <article>
      <BackLink to={listPaths[list] + toListQuery(part)}>{listTitles[list]}</BackLink>
      <p className="waiting-meta">
        <b>{message && message.about !== message.subject ? message.about : kindLabels[kind].one}</b>{" "}
        {item.received}
      </p>
      <h1 className="desk-heading mt-1 wrap-anywhere">{item.heading}</h1>
      <p className="waiting-meta wrap-anywhere">
        {item.sender
          ? `From ${item.sender}`
          : isOpen || message
            ? "We have no name or email address of the sender."
            : "The name and the email address of the sender are deleted after the decision."}
      </p>
      {refusal && (
        <div className="mt-4">
          <ErrorSummary refusal={refusal} />
        </div>
      )}
      <DecidedNote item={item} />
      <Checks item={item} />
      {facts.length > 0 && (
        <dl className="mb-6 space-y-2">
          {facts.map(({ label, value }) => (
            <div key={label} className="grid grid-cols-[5.5rem_1fr]">
              <dt className="text-ink-soft">{label}</dt>
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
      {(isOpen || !item.story ? [] : images).map(({ id, alt, width, height }) => (
        <figure key={id} className="waiting-figure">
          <img src={deskImagePath(id)} alt={alt} width={width} height={height} loading="lazy" />
          <figcaption className="desk-note">{alt || "No description"}</figcaption>
        </figure>
      ))}
      {!hasForm(item) && (
        <NotSent
          path={submissionPath(item)}
          typed={refusal?.typed}
          sent={{ ...event?.values, title: item.title, text }}
        />
      )}
      {message && <MessageDecision item={item} message={message} before={refusal} />}
      {item.story && isOpen && <StoryDecision item={item} story={item.story} before={before} />}
      {event && isOpen && <EventDecision item={item} event={event} before={before} />}
    </article>
  );
}

export const NoItem = ({ path, typed }: { path: string; typed: Refusal["typed"] | undefined }) => (
  <>
    <div className="waiting-empty">
      <p className="waiting-quiet">It is gone.</p>
      <p>
        It was deleted, or the link is not complete.{" "}
        <Link to={waitingPath} className="text-link">
          See what waits
        </Link>
      </p>
    </div>
    <NotSent path={path} typed={typed} />
  </>
);

function Checks({ item: { remarks, networkNote } }: { item: ItemView }) {
  return (
    <section aria-labelledby="checks" className="my-6 space-y-1 border-line border-y py-4">
      <h2 id="checks" className="font-sans font-semibold text-base">
        What the checks found
      </h2>
      {remarks.length === 0 && <p>Nothing unusual.</p>}
      <ul>
        {remarks.map(({ label, why, link, isNeutral }) => (
          <li key={label} className="py-0.5">
            <strong className={isNeutral ? "" : "text-crab"}>{label}.</strong> {why}{" "}
            {link && (
              <Link to={link} reloadDocument className="text-link">
                Compare
              </Link>
            )}
          </li>
        ))}
      </ul>
      {networkNote && <p className="text-ink-soft text-sm">{networkNote}</p>}
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

function DecidedNote({ item: { state, decision, path } }: { item: ItemView }) {
  if (state === "waiting") return null;
  return (
    <div className="callout mt-4">
      <div className="waiting-undo">
        <p>
          <strong>{states[state]}.</strong> {decision ? `${decision}. ` : ""}
          {path && (
            <Link to={path} reloadDocument className="desk-tap text-link">
              See the page
            </Link>
          )}
        </p>
        {state === "rejected" && (
          <Form method="post">
            <Press name="act" value="restore">
              Restore
            </Press>
          </Form>
        )}
      </div>
    </div>
  );
}

const labels: Record<string, string> = {
  title: "Title",
  text: "Text",
  description: "Description",
  answer: "Answer",
  reason: "Reason",
};

type NotSentProps = {
  path: string;
  typed?: Record<string, string> | undefined;
  /** The fields as the item has them. Values that the editor did not change are not shown. */
  sent?: Record<string, string>;
};

/** What an editor typed about an item that nobody can decide about any more, to copy it. */
function NotSent({ path, typed, sent = {} }: NotSentProps) {
  const stored = useDeviceValue(unsentForm(path));
  const values = Object.entries(stored?.values ?? typed ?? {}).filter(
    ([name, value]) => name in labels && value !== "" && value !== sent[name],
  );
  if (values.length === 0) return null;
  return (
    <section aria-labelledby="not-sent" className="callout my-6">
      <h2 id="not-sent" className="font-sans font-semibold text-base">
        What you typed was not sent
      </h2>
      {values.map(([name, value]) => (
        <div key={name}>
          <h3 className="waiting-meta mt-3">{labels[name]}</h3>
          <p className="waiting-text">{value}</p>
        </div>
      ))}
      {stored && (
        <button
          type="button"
          className="button button-plain mt-4"
          onClick={() => unsentForm(path).write(null)}
        >
          Delete
        </button>
      )}
    </section>
  );
}
