import type { ReactNode } from "react";
import type { Archive } from "../listing/archive.ts";
import { ArchiveIndex } from "./archive-index.tsx";
import { PageHead } from "./section-page.tsx";

type Props = { name: string; archive: Archive; follow: ReactNode; ads: ReactNode };

/** The headlines of one newsroom: the page of the archive to which "Follow" beside its name leads. */
export function SourcePage({ name, archive, follow, ads }: Props) {
  const intro = `All headlines from ${name} that we have, also those of today. Each leads to the newsroom that reported it.`;
  return (
    <>
      <PageHead head={{ heading: name, intro }} follow={follow} />
      <ArchiveIndex archive={archive} />
      {ads}
    </>
  );
}
