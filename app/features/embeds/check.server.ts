import { didYouMean } from "../../lib/text/nearest.ts";
import type { City, CrossFileProblem } from "../../platform/city.ts";
import { embedsFile, frameSources } from "./files.server.ts";

/** Where a site file has the URL of another service's frame. */
type FrameUrl = { file: string; at: PropertyKey[]; field: string; url: string };

/** The browser blocks a frame of a host that embeds.yaml does not list. */
export function checkFrameHost(city: City, { url, ...place }: FrameUrl): CrossFileProblem[] {
  const embeds = city.read(embedsFile);
  const { origin } = new URL(url);
  if (!embeds || frameSources(embeds).includes(origin)) return [];
  return [{ ...place, message: `needs a service in ${embedsFile.path}: add ${origin} there` }];
}

type ExternalContent = { service: { key: string }; url: string } | undefined;

/** Checks the setting `outside`, which shows another service's content in place of ours. */
export function checkExternalContent(
  city: City,
  file: string,
  external: ExternalContent,
): CrossFileProblem[] {
  const services = city.read(embedsFile)?.services;
  if (!external || !services) return [];
  const { service, url } = external;
  if (service.key in services)
    return checkFrameHost(city, { file, at: ["outside", "url"], field: "outside.url", url });
  const message = `is not a service in ${embedsFile.path}${didYouMean(service.key, Object.keys(services))}`;
  return [{ file, at: ["outside", "service", "key"], field: "outside.service.key", message }];
}
