import { Link } from "../../../ui/link.tsx";
import { ConsentField, EmailField, SelectField, TextArea, TextField } from "../../forms/fields.tsx";
import { Thanks } from "../../forms/form-result.tsx";
import { FormShell } from "../../forms/form-shell.tsx";
import type { Refusal } from "../../forms/model.ts";
import type { EventsTexts } from "../files.server.ts";
import {
  eventsPath,
  maxDescriptionLength,
  maxLocationLength,
  maxNameLength,
  maxTitleLength,
  maxUrlLength,
  submitEventPath,
} from "../model.ts";

type Texts = EventsTexts["submit"];
type Props = {
  texts: Texts;
  categories: string[];
  today: string;
  token: string;
  result: { kind: "stored" } | Refusal | undefined;
};

export function SubmitEventPage({ texts, categories, today, token, result }: Props) {
  const refusal = result?.kind === "refused" ? result : undefined;
  const { fields } = texts;
  const shared = { refusal };
  return (
    <div className="page pt-8 lg:pt-10">
      <div className="mx-auto max-w-2xl">
        {result?.kind === "stored" ? (
          <Thanks {...texts.thanks}>
            <Link to={eventsPath} className="text-link font-semibold">
              Back to Events
            </Link>
          </Thanks>
        ) : (
          <>
            <h1 className="kicker">{texts.heading}</h1>
            <p className="mt-4 mb-8 text-lg text-ink-soft">
              {texts.intro} {texts.lifetime}
            </p>
            <FormShell
              action={submitEventPath}
              token={token}
              refusal={refusal}
              submitLabel={texts.button}
            >
              <TextField
                name="title"
                {...fields.title}
                {...shared}
                required
                maxLength={maxTitleLength}
              />
              <TextField
                name="location"
                {...fields.location}
                {...shared}
                required
                maxLength={maxLocationLength}
              />
              <div className="grid grid-cols-1 gap-5 sm:grid-cols-3">
                <TextField
                  name="day"
                  type="date"
                  {...fields.day}
                  {...shared}
                  required
                  min={today}
                />
                <TextField name="starts" type="time" {...fields.starts} {...shared} required />
                <TextField name="ends" type="time" {...fields.ends} {...shared} />
              </div>
              <SelectField
                name="category"
                {...fields.category}
                {...shared}
                options={categories.map((name) => ({ value: name, label: name }))}
                preset={categories.at(-1) ?? ""}
              />
              <ConsentField name="free" {...fields.free} {...shared} optional />
              <TextArea
                name="description"
                {...fields.description}
                {...shared}
                required
                rows={9}
                maxLength={maxDescriptionLength}
              />
              <TextField
                name="url"
                type="url"
                {...fields.url}
                {...shared}
                maxLength={maxUrlLength}
              />
              <TextField
                name="name"
                {...fields.name}
                {...shared}
                maxLength={maxNameLength}
                autoComplete="name"
              />
              <EmailField {...fields.email} {...shared} />
              <ConsentField name="consent" {...fields.consent} {...shared} />
            </FormShell>
          </>
        )}
      </div>
    </div>
  );
}
