import { Fragment } from "react";
import { type DraftFields, listDifferences, toMergeLine } from "../model.ts";
import type { OtherVersion } from "./autosave.ts";

/** What this editor typed, and the other version that was saved. The editor has to choose one. */
export type Conflict = { typed: DraftFields; other: OtherVersion };

type Props = Conflict & { onChoose(fields: DraftFields): void };

export function Versions({ typed, other: saved, onChoose }: Props) {
  const { fields: other, editorName, savedAt, isOwn, change } = saved;
  const otherLabel = `${isOwn ? "Saved" : editorName}, ${savedAt}`;
  const differences = listDifferences(typed, other);
  // Only the item changed: it was taken down, for example.
  const isSame = differences.length === 0;
  const isTextSame = typed.text === other.text;
  return (
    <section aria-labelledby="versions" className="mb-8 space-y-4">
      <h2 id="versions" className="desk-subheading" tabIndex={-1}>
        {change ??
          (isOwn
            ? "You saved another version in another tab"
            : `${editorName} saved another version`)}
      </h2>
      <p className="desk-note">
        {isSame
          ? "Nothing was published yet: press the button again. Your text is as it was."
          : "Nothing was overwritten or published. Continue with one of them; you can copy what you need from the other first."}
      </p>
      {differences.map(({ name, label, one, other: theirs }) => (
        <div key={name} className="write-compare">
          <h3>{label}</h3>
          <div>
            <b>Yours</b>
            <Marked text={one} other={theirs} />
          </div>
          <div>
            <b>{otherLabel}</b>
            <Marked text={theirs} other={one} />
          </div>
        </div>
      ))}
      {!isSame && (
        <p className="scripts:hidden">The form below has your version. Change it, then save it.</p>
      )}
      <p className="hidden flex-wrap items-center gap-3 scripts:flex">
        <button type="button" className="button button-gold" onClick={() => onChoose(typed)}>
          {isSame ? "Continue" : "Continue with yours"}
        </button>
        {!isSame && (
          <button type="button" className="button button-plain" onClick={() => onChoose(other)}>
            Continue with {isOwn ? "the other" : `${editorName}’s`}
          </button>
        )}
        {!isTextSame && (
          <button
            type="button"
            className="button button-plain"
            onClick={() => onChoose(mergeTexts(typed, other, otherLabel))}
          >
            Keep both texts{differences.length > 1 && ", and otherwise yours"}
          </button>
        )}
      </p>
    </section>
  );
}

/** Marks the paragraphs that the other text does not have. */
function Marked({ text, other }: { text: string; other: string }) {
  const others = new Set(other.split("\n"));
  return (
    <pre>
      {text === ""
        ? "Nothing"
        : text.split("\n").map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text do not move
            <Fragment key={index}>
              {others.has(line) ? line : <mark>{line}</mark>}
              {"\n"}
            </Fragment>
          ))}
    </pre>
  );
}

/** Your version, with the other text below yours, so that an editor can merge them by hand. */
const mergeTexts = (typed: DraftFields, other: DraftFields, otherLabel: string): DraftFields => ({
  ...typed,
  text: `${typed.text.trimEnd()}\n\n${toMergeLine(otherLabel)}\n\n${other.text}`,
});
