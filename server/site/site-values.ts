import type { SiteContent, SiteFile, SiteFolder } from "../../app/site-files/site-file.server.ts";

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

/**
 * Gives access to parsed files. For each path, the map holds the value that the `parse` of that
 * file returned.
 */
export function createSiteContent(values: ReadonlyMap<string, unknown> | SiteValues): SiteContent {
  /** Finding and sorting the paths of thousands of stories takes too long to do for each request. */
  const folders = new Map<string, { version: number; records: readonly unknown[] }>();
  return {
    read<T>({ path }: SiteFile<T>): T {
      if (!values.has(path)) throw new Error(`No feature declares the file ${path}.`);
      return values.get(path) as T;
    },
    readAll<T>({ folder }: SiteFolder<T>): readonly T[] {
      const version = values instanceof SiteValues ? values.version : null;
      const known = folders.get(folder);
      if (version !== null && known?.version === version) return known.records as readonly T[];
      const paths = [...values.keys()].filter((path) => path.startsWith(`${folder}/`)).sort();
      const records = paths.map((path) => values.get(path) as T);
      if (version !== null) folders.set(folder, { version, records });
      return records;
    },
  };
}
