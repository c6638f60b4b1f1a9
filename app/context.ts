import { createContext } from "react-router";
import type { Database } from "../db/client.ts";
import type { Clock } from "./lib/dates.ts";
import type { Log } from "./lib/log.ts";
import type { SiteReader } from "./lib/site-file.server.ts";

/** What a route may reach: the city's files, the database, the time, the log. */
export type AppContext = { site: SiteReader; db: Database; clock: Clock; log: Log };

export const appContext = createContext<AppContext>();
