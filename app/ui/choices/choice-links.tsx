import { Link } from "../link.tsx";

type Props = {
  title: string;
  /** The label of the link that removes the choice. */
  all: string;
  current: string | null;
  choices: { value: string; label: string }[];
  /** The path of the list with this choice. */
  to(value: string | null): string;
  /** Whether the links are shown at first. Without it, they are shown if one is chosen. */
  isOpen?: boolean;
};

/** Links that select a part of a list, such as a month. */
export function ChoiceLinks({ title, all, current, choices, to, isOpen }: Props) {
  if (choices.length === 0) return null;
  return (
    <details open={isOpen ?? current !== null} className="border-line border-t pt-3">
      <summary className="font-semibold">{title}</summary>
      <ul className="mt-2 max-h-80 space-y-0.5 overflow-y-auto">
        {[{ value: null, label: all }, ...choices].map(({ value, label }) => (
          <li key={value}>
            <Link
              to={to(value)}
              aria-current={value === current ? "true" : undefined}
              className={`inline-block py-1 ${value === current ? "font-semibold" : "text-link"}`}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
