import { join } from "node:path";
import type { Log } from "../../app/lib/log.ts";
import type { Config } from "../site/config.ts";
import { createRadio, type Radio } from "./radio.ts";
import { createStation } from "./station.ts";
import { createUpstream } from "./upstream.ts";

/**
 * The city's radio as configured: somebody's Icecast or SHOUTcast, or our own station out of the
 * city's folder.
 */
export function openRadio({ siteFolder, radio }: Config, log: Log): Radio {
  const { upstream, ...settings } = radio;
  const source = upstream
    ? createUpstream({ address: upstream, log })
    : createStation({ folder: join(siteFolder, "radio"), log });
  return createRadio(source, settings, log);
}
