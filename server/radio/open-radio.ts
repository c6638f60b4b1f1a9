import { join } from "node:path";
import type { Log } from "../../app/lib/log.ts";
import type { Config } from "../site/config.ts";
import { createRadio, type Radio } from "./radio.ts";
import { createStation } from "./station.ts";
import { createUpstream } from "./upstream.ts";

/**
 * Opens the city's radio as configured: a relayed Icecast or SHOUTcast station, or our own station
 * with the MP3 files of the city folder.
 */
export function openRadio({ siteFolder, radio }: Config, log: Log): Radio {
  const { upstream, ...settings } = radio;
  const source = upstream
    ? createUpstream({ url: upstream, log })
    : createStation({ folder: join(siteFolder, "radio"), log });
  return createRadio(source, settings, log);
}
