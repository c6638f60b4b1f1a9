import type { PageLink } from "../site-files/site-fields.server.ts";
import { Link } from "./link.tsx";

type Props = { id: string; title: string; link?: PageLink };

export function SectionHead({ id, title, link }: Props) {
  return (
    <div className="head-row items-baseline gap-y-0 border-ink-soft border-t pt-1.5">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {link && (
        <Link to={link.to} className="text-link py-1 font-semibold">
          {link.label}
        </Link>
      )}
    </div>
  );
}
