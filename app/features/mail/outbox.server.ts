import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session, Transport } from "./transport.server.ts";

export type Outbox = Transport & {
  deleteFilesBefore(before: Date): Promise<void>;
  deleteFiles(ids: string[]): Promise<void>;
};

/**
 * Writes emails to files that any mail program can open, for a city without a mail server. A file
 * is complete or does not exist, and an email that is written twice is still one file.
 */
export function createOutbox(folder: string): Outbox {
  const session: Session = {
    async deliver({ id, content }, commit) {
      if (!(await commit())) return null;
      const path = join(folder, `${id}.eml`);
      await writeFile(`${path}.part`, content, { mode: 0o600, flush: true });
      await rename(`${path}.part`, path);
      return { kind: "sent" };
    },
    close() {},
  };
  return {
    kind: "files",
    maxConnections: 1,
    async open() {
      // Only the owner may read the folder, because it contains email addresses of readers.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return { session };
    },
    async deleteFilesBefore(before) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names.filter((each) => /\.eml(\.part)?$/.test(each))) {
        const path = join(folder, name);
        if ((await stat(path)).mtime < before) await rm(path, { force: true });
      }
    },
    async deleteFiles(ids) {
      for (const path of ids.map((id) => join(folder, `${id}.eml`)))
        for (const name of [path, `${path}.part`]) await rm(name, { force: true });
    },
  };
}
