import type { ReactNode } from "react";
import type { Archive } from "../listing/archive.ts";
import { ArchiveIndex } from "./archive-index.tsx";
import { PageHead } from "./section-page.tsx";

type Props = { name: string; archive: Archive; follow: ReactNode; ads: ReactNode };

const intro = "Every headline from this newsroom that we have, with a link to its story.";

/** The headlines of one newsroom. "Follow" beside its name leads here, with the panel open. */
export function SourcePage({ name, archive, follow, ads }: Props) {
  return (
    <>
      <PageHead head={{ heading: name, intro }} follow={follow} />
      <ArchiveIndex archive={archive} />
      {ads}
    </>
  );
}
