import { useDeviceValue } from "../../../../ui/hooks/use-device-value.ts";
import { unsentForm } from "../../../forms/unsent/unsent-form.ts";

const labels: Record<string, string> = {
  title: "Title",
  text: "Text",
  description: "Description",
  answer: "Answer",
  reason: "Reason",
};

type Props = {
  path: string;
  /** What the editor has just typed. */
  typed?: Record<string, string> | undefined;
  /** What the item contains anyway. */
  sent?: Record<string, string>;
};

/** What an editor typed about an item that nobody can decide about any more, to copy it. */
export function NotSent({ path, typed, sent = {} }: Props) {
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
