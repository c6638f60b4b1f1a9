import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import type { Processor } from "unified";

/**
 * Makes remark-parse read tables, whose cells are separated by "|". The package remark-gfm has
 * more, such as URLs that become links without any mark, which would change texts that exist.
 */
export function markdownTables(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfmTable()];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmTableFromMarkdown()];
}
