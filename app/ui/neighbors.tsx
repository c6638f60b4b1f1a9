import { Link } from "./link.tsx";

type Neighbor = { label: string; title: string; to: string };

type Props = { label: string; older: Neighbor | null; newer: Neighbor | null };

export function Neighbors({ label, older, newer }: Props) {
  if (!older && !newer) return null;
  return (
    <nav aria-label={label} className="neighbors no-print">
      {older && <NeighborLink link={older} rel="prev" />}
      {newer && <NeighborLink link={newer} rel="next" />}
    </nav>
  );
}

function NeighborLink({ link: { label, title, to }, rel }: { link: Neighbor; rel: string }) {
  return (
    <Link to={to} rel={rel} className="group py-4 sm:px-6 sm:first:pl-0 sm:last:pr-0">
      <span className="block text-ink-soft text-sm/text">{label}</span>
      <span className="font-semibold font-serif text-lg/tight group-hover:underline">{title}</span>
    </Link>
  );
}
