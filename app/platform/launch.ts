/** Something that the newsroom should write, decide or replace before the public reads the site. */
export type LaunchItem = {
  file: string;
  /**
   * Where it is: the keys that lead to a setting. Null if it concerns the entire file, or if the
   * file does not exist.
   */
  at: PropertyKey[] | null;
  message: string;
  /** What to do. */
  fix: string;
  /** Whether the site can be public without it. */
  isOptional?: boolean;
};

/** Lists the samples in a folder of Markdown files. */
export const listSamples = (
  folder: string,
  records: readonly { id: string; front: { sample: boolean } }[],
): LaunchItem[] =>
  records
    .filter(({ front }) => front.sample)
    .map(({ id }) => ({
      file: `${folder}/${id}.md`,
      at: ["sample"],
      message: "is a sample.",
      fix: "Delete the file, or make it true and remove this line.",
    }));
