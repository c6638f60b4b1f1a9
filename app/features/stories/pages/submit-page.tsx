import { Link } from "../../../ui/link.tsx";
import { ConsentField, EmailField, TextArea, TextField } from "../../forms/fields.tsx";
import { FormShell } from "../../forms/form-shell.tsx";
import type { Refusal } from "../../forms/model.ts";
import { Thanks } from "../../forms/thanks.tsx";
import type { SubmitStoryTexts } from "../files.server.ts";
import { maxNameLength, maxStoryLength, maxTitleLength, submitPath } from "../readers/model.ts";
import { ImageFields } from "./image-fields.tsx";

type Props = {
  texts: Omit<SubmitStoryTexts, "picture">;
  token: string;
  result: { kind: "stored" } | Refusal | undefined;
};

export function SubmitPage({ texts, token, result }: Props) {
  const refusal = result?.kind === "refused" ? result : undefined;
  const { fields } = texts;
  return (
    <div className="page pt-8 lg:pt-10">
      <div className="mx-auto max-w-2xl">
        {result?.kind === "stored" ? (
          <Thanks {...texts.thanks} level="h1">
            <Link to="/community" className="text-link font-semibold">
              Back to Community
            </Link>
          </Thanks>
        ) : (
          <>
            <h1 className="kicker">{texts.heading}</h1>
            <p className="mt-4 mb-8 text-lg text-ink-soft">
              {texts.intro} {texts.lifetime}
            </p>
            <FormShell
              action={submitPath}
              token={token}
              refusal={refusal}
              submitLabel={texts.button}
              hasFiles
            >
              <TextField
                name="title"
                {...fields.title}
                required
                maxLength={maxTitleLength}
                refusal={refusal}
              />
              <TextArea
                name="story"
                {...fields.story}
                required
                rows={14}
                maxLength={maxStoryLength}
                refusal={refusal}
              />
              <TextField
                name="name"
                {...fields.name}
                maxLength={maxNameLength}
                autoComplete="name"
                refusal={refusal}
              />
              <EmailField {...fields.email} refusal={refusal} />
              <ImageFields texts={fields.pictures} refusal={refusal} />
              <ConsentField name="consent" label={fields.consent.label} refusal={refusal} />
            </FormShell>
          </>
        )}
      </div>
    </div>
  );
}
