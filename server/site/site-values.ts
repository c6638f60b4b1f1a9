import { hasPage } from "../../app/lib/links/parts.ts";
import { createMemo } from "../../app/lib/memo.ts";
import type {
  SiteContent,
  SiteFile,
  SiteFolder,
  SiteSource,
} from "../../app/site-files/site-file.server.ts";

export const notReadMessage = (name: string) =>
  `${name} is not among the site files that were read.`;

/** The parsed files by path. The version changes with every change. */
export class SiteValues extends Map<string, unknown> {
  version = 0;

  override set(path: string, value: unknown): this {
    this.version += 1;
    return super.set(path, value);
  }

  override delete(path: string): boolean {
    this.version += 1;
    return super.delete(path);
  }
}

/** Lists what the city leaves out, as its files say. */
export const listAbsent = (values: ReadonlyMap<string, unknown>, sources: SiteSource[]): string[] =>
  sources.flatMap((source) =>
    "path" in source && source.absent && values.has(source.path)
      ? source.absent(values.get(source.path))
      : [],
  );

/** Lists the parts that the city has, but that lack a file, because it has never been valid. */
const listIncomplete = (values: ReadonlyMap<string, unknown>, sources: SiteSource[]): string[] =>
  sources.flatMap((source) =>
    "path" in source && source.part && !values.has(source.path) ? [source.part] : [],
  );

/**
 * Gives access to parsed files. For each path, `values` holds what the `parse` of that file
 * returned. `sources` are all files that a city can have, and `listPaths` lists those that it has,
 * including those with mistakes.
 */
export function createSiteContent(
  values: ReadonlyMap<string, unknown> | SiteValues,
  sources: SiteSource[] = [],
  listPaths: () => Iterable<string> = () => values.keys(),
): SiteContent {
  const memo = createMemo<readonly unknown[]>();
  /**
   * Finding and sorting the paths of thousands of stories takes too long to do for each request.
   */
  function remember<T>(key: string, compute: () => readonly T[]): readonly T[] {
    if (!(values instanceof SiteValues)) return compute();
    return memo(key, [values.version], compute) as readonly T[];
  }
  const readAbsent = () =>
    remember("absent", () => [
      ...new Set([...listAbsent(values, sources), ...listIncomplete(values, sources)]),
    ]);
  return {
    read<T>({ path }: SiteFile<T>): T {
      if (!values.has(path)) throw new Error(notReadMessage(path));
      return values.get(path) as T;
    },
    readAll: <T>({ folder }: SiteFolder<T>) =>
      remember(`${folder}/`, () => {
        const paths = [...values.keys()].filter((path) => path.startsWith(`${folder}/`)).sort();
        return paths.map((path) => values.get(path) as T);
      }),
    names: ({ folder }) =>
      [...listPaths()]
        .filter((path) => path.startsWith(`${folder}/`) && path.endsWith(".md"))
        .map((path) => path.slice(folder.length + 1, -".md".length)),
    listAbsent: readAbsent,
    hasPage: (path) => hasPage(readAbsent(), path),
  };
}
