import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import * as events from "../../../events/model.ts";
import { ConsentField, Field, SelectField, TextArea, TextField } from "../../../forms/fields.tsx";
import type { Refusal } from "../../../forms/model.ts";
import * as stories from "../../../stories/readers/model.ts";
import { altField, imagePath, maxReasonLength, showField } from "../model.ts";
import type { ItemView } from "../view.server.ts";

type Props = { item: ItemView; refusal: Refusal | undefined };

/** What the fields contain: what the editor typed before, or what the reader sent. */
const fillFields = (refusal: Refusal | undefined, values: Record<string, string>): Refusal =>
  refusal ?? { kind: "refused", status: 422, summary: "", errors: {}, typed: values };

/** The fields and buttons with which an editor approves or rejects something. */
function DecisionForm({ item: { hasEmail }, refusal, children }: Props & { children: ReactNode }) {
  const isBusy = useNavigation().state !== "idle";
  return (
    // The server validates the fields: a browser cannot show a message in a part that is closed.
    <Form method="post" noValidate className="desk-form waiting-decision">
      <NoDefaultButton />
      {children}
      <details className="waiting-details" open={refusal?.errors.reason !== undefined}>
        <summary className="waiting-summary">Reject with a reason</summary>
        <TextArea
          name="reason"
          label="Reason"
          hint={
            hasEmail
              ? "The sender gets it by email in ten minutes. Without a reason, or with the reason “spam”, nobody gets an email."
              : "The sender left no email address, so only the log shows it."
          }
          rows={3}
          maxLength={maxReasonLength}
          refusal={refusal}
        />
      </details>
      <div className="waiting-bar waiting-bar-shown">
        <button
          type="submit"
          name="act"
          value="approve"
          disabled={isBusy}
          className="button button-gold"
        >
          Approve
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
      </div>
    </Form>
  );
}

/**
 * The Enter key presses the first button of a form. This one can do nothing, so that nothing is
 * published by the Enter key in a field.
 */
const NoDefaultButton = () => <button type="submit" disabled hidden />;

export function StoryDecision({
  item,
  story: { category, categories },
  refusal,
}: Props & { story: NonNullable<ItemView["story"]> }) {
  const { title, text, images } = item;
  const shown = fillFields(refusal, { title, text, category });
  return (
    <DecisionForm item={item} refusal={refusal}>
      <details className="waiting-details" open={refusal !== undefined}>
        <summary className="waiting-summary">Edit first</summary>
        <div className="space-y-5">
          <TextField
            name="title"
            label="Title"
            maxLength={stories.maxTitleLength}
            refusal={shown}
          />
          <TextArea
            name="text"
            label="Text"
            rows={14}
            maxLength={stories.maxStoryLength}
            refusal={shown}
          />
          {images.map(({ id, alt, width, height }, index) => (
            <fieldset key={id} className="waiting-image">
              <legend className="font-semibold">Image {index + 1}</legend>
              <img src={imagePath(id)} alt={alt} width={width} height={height} loading="lazy" />
              <div className="space-y-3">
                <ConsentField
                  name={showField(id)}
                  label="Show it with the story"
                  refusal={fillFields(refusal, { [showField(id)]: "on" })}
                  optional
                />
                <TextArea
                  name={altField(id)}
                  label="Image description"
                  rows={2}
                  maxLength={stories.maxAltLength}
                  refusal={fillFields(refusal, { [altField(id)]: alt })}
                />
              </div>
            </fieldset>
          ))}
        </div>
      </details>
      <Field
        name="category"
        label="Category"
        refusal={shown}
        control={(props) => (
          <input
            {...props}
            list="categories"
            maxLength={stories.maxCategoryLength}
            className="field mt-1.5"
          />
        )}
      />
      <datalist id="categories">
        {categories.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </DecisionForm>
  );
}

export function EventDecision({
  item,
  event: { values, categories },
  refusal,
}: Props & { event: NonNullable<ItemView["event"]> }) {
  const shared = { refusal: fillFields(refusal, values) };
  return (
    <DecisionForm item={item} refusal={refusal}>
      <details className="waiting-details" open={refusal !== undefined}>
        <summary className="waiting-summary">Edit first</summary>
        <div className="space-y-5">
          <TextField name="title" label="Name" maxLength={events.maxTitleLength} {...shared} />
          <TextField
            name="location"
            label="Where"
            maxLength={events.maxLocationLength}
            {...shared}
          />
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-3">
            <TextField name="day" type="date" label="Day" {...shared} />
            <TextField name="starts" type="time" label="Starts" {...shared} />
            <TextField name="ends" type="time" label="Ends" {...shared} />
          </div>
          <SelectField
            name="category"
            label="Category"
            options={categories.map((name) => ({ value: name, label: name }))}
            preset={values.category}
            {...shared}
          />
          <ConsentField name="free" label="Admission is free" optional {...shared} />
          <TextArea
            name="description"
            label="Description"
            rows={8}
            maxLength={events.maxDescriptionLength}
            {...shared}
          />
          <TextField
            name="url"
            type="url"
            label="Link"
            maxLength={events.maxUrlLength}
            {...shared}
          />
        </div>
      </details>
    </DecisionForm>
  );
}
