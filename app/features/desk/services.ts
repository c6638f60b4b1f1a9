import type { Services } from "../../platform/services.ts";
import type { Editor } from "./files.server.ts";

/** What every part of the desk needs. */
export type DeskServices = Pick<Services, "db" | "clock" | "site">;
/** For what also renders texts. */
export type WriteServices = DeskServices & Pick<Services, "runInWorker">;

export type Desk = DeskServices & { editor: Editor };
export type WriteDesk = WriteServices & { editor: Editor };
