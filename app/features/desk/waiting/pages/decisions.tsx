import { type ReactNode, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import * as events from "../../../events/model.ts";
import { ConsentField, TextArea, TextField } from "../../../forms/fields.tsx";
import type { FilledFields } from "../../../forms/model.ts";
import * as stories from "../../../stories/readers/model.ts";
import { fillFields, seenField } from "../../model.ts";
import { EventFields } from "../../pages/event-fields.tsx";
import { Press, StoredText } from "../../pages/parts.tsx";
import { SectionField } from "../../pages/section-field.tsx";
import { deskImagePath, plainTextHint } from "../../write/model.ts";
import { descriptionField, maxAnswerLength, showField, submissionPath } from "../model.ts";
import type { ItemView } from "../view.server.ts";
import { DecisionBar } from "./decision-bar.tsx";

type Props = {
  item: ItemView;
  /** What the editor typed before a refusal or an undo, which is shown open. */
  before: FilledFields | undefined;
};

function DecisionForm({ item, children }: { item: ItemView; children: ReactNode }) {
  const form = useRef<HTMLFormElement>(null);
  return (
    // The server validates the fields: a browser cannot show a message in a part that is closed.
    <Form ref={form} method="post" noValidate className="desk-form">
      <NoDefaultButton />
      <StoredText path={submissionPath(item)} form={form} />
      {children}
    </Form>
  );
}

const ApproveBar = ({ item, before }: Props) => (
  <DecisionBar
    accept="Approve"
    reasonHint={
      item.hasEmail
        ? "The sender gets it by email in ten minutes. Without a reason, or with the reason “spam”, nobody gets an email."
        : "The sender left no email address, so only the log shows it."
    }
    refusal={before}
  />
);

const EditFirst = ({ before, children }: Omit<Props, "item"> & { children: ReactNode }) => (
  <details className="desk-fold" open={before !== undefined}>
    <summary className="fold">Edit first</summary>
    <div className="mt-2 mb-5 space-y-5">{children}</div>
  </details>
);

/** The Enter key presses the first button of a form, so this one does nothing. */
const NoDefaultButton = () => <button type="submit" disabled hidden />;

export function StoryDecision({
  item,
  story: { category, categories },
  before,
}: Props & { story: NonNullable<ItemView["story"]> }) {
  const { title, text, images } = item;
  const shown = fillFields(before, { title, text, category });
  return (
    <DecisionForm item={item}>
      <EditFirst before={before}>
        <TextField name="title" label="Title" maxLength={stories.maxTitleLength} refusal={shown} />
        <TextArea
          name="text"
          label="Text"
          hint={plainTextHint}
          rows={14}
          maxLength={stories.maxStoryLength}
          refusal={shown}
        />
      </EditFirst>
      {images.map(({ id, alt, width, height }, index) => (
        <fieldset key={id} className="waiting-figure">
          <legend className="font-semibold">Image {index + 1}</legend>
          <img src={deskImagePath(id)} alt={alt} width={width} height={height} loading="lazy" />
          <TextArea
            name={descriptionField(id)}
            label="Image description"
            rows={2}
            maxLength={stories.maxAltLength}
            refusal={fillFields(before, { [descriptionField(id)]: alt })}
          />
          <ConsentField
            name={showField(id)}
            label="Show it with the story"
            refusal={fillFields(before, { [showField(id)]: "on" })}
            optional
          />
        </fieldset>
      ))}
      <SectionField choices={categories} refusal={shown} />
      <ApproveBar item={item} before={before} />
    </DecisionForm>
  );
}

export function EventDecision({
  item,
  event: { values, categories, seen },
  before,
}: Props & { event: NonNullable<ItemView["event"]> }) {
  const shownFields = fillFields(before, values);
  // The fields stay as they are if the page is loaded again, so this stays too.
  const [shown] = useState(seen);
  return (
    <DecisionForm item={item}>
      <input type="hidden" name={seenField} value={before?.typed[seenField] ?? shown} />
      <EditFirst before={before}>
        <TextField
          name="title"
          label="Title"
          maxLength={events.maxTitleLength}
          refusal={shownFields}
        />
        <EventFields textName="description" categories={categories} refusal={shownFields} />
      </EditFirst>
      <ApproveBar item={item} before={before} />
    </DecisionForm>
  );
}

export function MessageDecision({
  item,
  message,
  before,
}: Props & { message: NonNullable<ItemView["message"]> }) {
  const isBusy = useNavigation().state !== "idle";
  const isWaiting = item.state === "waiting";
  const send = canAnswer(item) && (
    <Press name="act" value="answer" disabled={isBusy} look="button button-gold">
      Send
    </Press>
  );
  return (
    <>
      {message.answers.map(({ id, editorName, time, text }) => (
        <section key={id} className="mt-6 border-line border-l-3 pl-4">
          <h2 className="waiting-meta">
            <b>{editorName} answered</b> {time}
          </h2>
          <div className="waiting-text">{text}</div>
        </section>
      ))}
      {(isWaiting || send) && (
        <DecisionForm item={item}>
          <input type="hidden" name={seenField} value={item.state} />
          {send && (
            <TextArea
              name="answer"
              label="Answer by email"
              hint="From the newsroom’s address, signed with your name and the name of the site, with the message quoted below. It is sent in ten minutes; until then, you can undo it."
              rows={6}
              maxLength={maxAnswerLength}
              refusal={fillFields(before, { answer: message.draft })}
            />
          )}
          {isWaiting ? (
            <DecisionBar accept="Done" refusal={before}>
              {send}
            </DecisionBar>
          ) : (
            <div className="waiting-bar">{send}</div>
          )}
        </DecisionForm>
      )}
    </>
  );
}

const canAnswer = ({ hasEmail, state }: ItemView) => hasEmail && state !== "rejected";

/** Whether the page of the item has a form, for a decision or an answer. */
export const hasForm = (item: ItemView): boolean =>
  item.state === "waiting" || (item.kind === "message" && canAnswer(item));
