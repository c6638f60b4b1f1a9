import type { City } from "./city.ts";
import type { Feature } from "./feature.ts";
import type { Services } from "./services.ts";

/** Where a function finds out what the city has: the site, or services with the site. */
type Holder = Pick<City, "hasPage"> | Pick<Services, "site">;

/**
 * Makes what a feature declares for readers and editors apply only while the city has the feature's
 * part. Data that the feature stored is still deleted when its retention is over, and still
 * restored from backups.
 */
export function followPart(feature: Feature): Feature {
  const { part, checkLink, documents, sitemap, shareCards, pages, launch } = feature;
  const { newsletter, sources, sharedReads, metrics, crossOrigin } = feature;
  if (part === undefined) return feature;
  const isOn = (holder: Holder) => ("site" in holder ? holder.site : holder).hasPage(`/${part}`);
  const follow =
    <Args extends [Holder, ...unknown[]], Result>(run: (...args: Args) => Result, none: Result) =>
    (...args: Args): Result =>
      isOn(args[0]) ? run(...args) : none;
  const nothing = Promise.resolve([]);
  return {
    ...feature,
    files: feature.files?.map((file) => ({ ...file, part })),
    commands: feature.commands?.map((command) => ({ ...command, part })),
    jobs: feature.jobs?.map((job) => ({ ...job, run: follow(job.run, Promise.resolve()) })),
    checks: feature.checks?.map((check) => follow(check, [])),
    checkLink:
      checkLink && (async (path, city) => (isOn(city) ? checkLink(path, city) : undefined)),
    documents: documents && { list: follow(documents.list, nothing) },
    sitemap: sitemap && { ...sitemap, pages: follow(sitemap.pages, nothing) },
    shareCards: shareCards && {
      ...shareCards,
      find: follow(shareCards.find, Promise.resolve(null)),
    },
    pages: pages && follow(pages, {}),
    launch: launch && follow(launch, []),
    newsletter: newsletter && {
      ...newsletter,
      gather: follow(newsletter.gather, nothing),
      find: newsletter.find && follow(newsletter.find, Promise.resolve(null)),
      corrections: newsletter.corrections && follow(newsletter.corrections, nothing),
    },
    sources: sources && { ...sources, health: follow(sources.health, nothing) },
    sharedReads: sharedReads && follow(sharedReads, []),
    metrics:
      metrics &&
      ((services) => {
        const group = metrics(services);
        return { ...group, read: async () => (isOn(services) ? group.read() : []) };
      }),
    crossOrigin: crossOrigin && {
      ...crossOrigin,
      headers: (origin, services) =>
        isOn(services) ? crossOrigin.headers(origin, services) : new Headers(),
    },
  };
}
