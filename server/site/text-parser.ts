import { mayContainActiveHtml } from "../../app/lib/text/html-in-markdown.server.ts";
import { isShortText } from "../../app/lib/text/markdown.server.ts";
import type { RunInWorker, WorkerTask } from "../../app/platform/worker-task.ts";
import {
  checkPostText,
  type PageText,
  renderPageText,
  type TextParser,
  tooComplex,
} from "../../app/site-files/page-text.server.ts";
import { pageTask, postCheckTask } from "../workers/page-text-tasks.ts";

/** Reads the long texts of site files in a worker thread, so that readers do not wait meanwhile. */
export function createTextParser(runInWorker: RunInWorker): TextParser {
  async function run<Input, T>(
    task: WorkerTask<Input, PageText<T>>,
    input: Input,
    readHere: () => PageText<T>,
    whenTooSlow: PageText<T>,
  ): Promise<PageText<T>> {
    // If the queue is full or closing, the text is read in this thread. Otherwise the file would be
    // missing until its next change.
    const outcome = await runInWorker(task, input).catch(() => null);
    if (outcome === null) return readHere();
    return outcome.kind === "done" ? outcome.value : whenTooSlow;
  }
  return {
    async renderPageText(body, origin) {
      const renderHere = () => renderPageText(body, origin);
      if (isShortText(body)) return renderHere();
      return run(pageTask, { body, origin }, renderHere, tooComplex);
    },
    async checkPostText(body) {
      const checkHere = () => checkPostText(body);
      if (isShortText(body) || !mayContainActiveHtml(body)) return checkHere();
      return run(postCheckTask, body, checkHere, { ok: true, value: null });
    },
  };
}
