import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { lookFile, siteSettingsFile } from "../../../app/features/brand/feature.server.ts";
import { findFeed, toSourceName } from "../../../app/features/feeds/feature.server.ts";
import { calendarDay } from "../../../app/lib/dates.ts";
import { parts } from "../../../app/lib/links/parts.ts";
import { fail, refuseCommand } from "../../../app/lib/newsroom/command-error.ts";
import { replaceFile, tryFile } from "../../../app/lib/newsroom/file-errors.server.ts";
import { type Command, verb } from "../../../app/platform/command.ts";
import { toProblemSentence } from "../../../app/site-files/site-yaml.server.ts";
import { defaultSites } from "../../site/config.ts";
import type { ServerCommandContext } from "../commands.ts";
import type { CheckReferences } from "../cross-checks.ts";
import { readCity } from "../validate.ts";
import { type CityIdentity, drawImage, isOurDrawing, listImages } from "./draw.ts";
import { addCity, networkFileName, openNetwork, readNetworkName } from "./network.ts";
import { type CityPlan, readPlan, type TypedPlan } from "./plan.ts";
import { listValues, readTemplateLook, renderTexts } from "./template.ts";

const text = (value: string, description: string) =>
  ({ type: "string", value, description }) as const;

export const createCityCommand = (
  checkReferences: CheckReferences,
): Command<ServerCommandContext> => ({
  name: "city",
  group: "Operations",
  summary: "Create the files of another city of the network.",
  examples: [
    'city new annapolis --name "Harborline Annapolis" --city Annapolis --state Maryland --time-zone America/New_York --lat 38.98 --lon -76.49 --domain annapolis.example.com',
    "city draw annapolis mark.svg touch-icon.png",
  ],
  verbs: {
    new: verb({
      summary: "Create a city folder that passes `validate`, and add the city to network.yaml.",
      arguments: {
        id: { required: true, description: "the name of the city folder, such as annapolis" },
      },
      options: {
        name: text("name", "the name of the site, such as Harborline Annapolis"),
        city: text("city", "the name of the city"),
        state: text("state", "the state, as its name or postal code"),
        "time-zone": text("zone", "the time zone, such as America/New_York"),
        lat: text("degrees", "the latitude of the middle of the city"),
        lon: text("degrees", "the longitude, which is negative in the United States"),
        domain: text("host", "the domain of the site, without https://"),
        feeds: text("urls", "feeds of local headlines, separated by commas; each is checked"),
        without: text("parts", `what the site does without: ${parts.join(", ")}`),
      },
      async run(context, options) {
        const plan = await checkFeeds(context, readPlan(options));
        const sites = context.config.sitesDir;
        const target = join(sites, plan.id);
        const create = () => createCity(context, checkReferences, plan, sites);
        const fileCount = await tryFile(context, { path: target, action: "write" }, create);
        context.result({ id: plan.id, folder: target, files: fileCount });
        context.print(`✓ ${target} has ${fileCount} files, and ${networkFileName} lists the city.`);
        const env = sites === resolve(defaultSites) ? "" : `SITES_DIR=${sites} `;
        context.print(`  Start it:                ${env}SITE=${plan.id} npm start`);
        context.print(
          `  See what it still needs: ${env}./newsroom --city ${plan.id} doctor --launch`,
        );
      },
    }),
    draw: verb({
      summary: "Draw images of art/ again, after the names or brand.yaml have changed.",
      arguments: {
        city: { required: true, description: "the name of the city folder" },
        images: { required: true, repeated: true, description: "such as wordmark.svg hero.svg" },
      },
      options: {
        replace: { type: "flag", description: "also replace images that somebody else has drawn" },
      },
      async run(context, { city, images, replace }) {
        // Without this check, somebody who forgets to name the city would replace the drawings of
        // the default city.
        const here = basename(context.siteFolder);
        if (city !== here)
          refuseCommand(
            `"${city}" is not the city of this command, which is ${here}. For another city, type: ./newsroom --city annapolis city draw annapolis mark.svg`,
          );
        const known = await listImages();
        const unknown = images.find((image) => !known.includes(image));
        if (unknown !== undefined)
          refuseCommand(
            `"${unknown}" is not one of the images that can be drawn: ${known.join(", ")}.`,
          );
        const toPath = (image: string) => join(context.siteFolder, "art", image);
        for (const image of replace ? [] : images) {
          const existing = await readFile(toPath(image)).catch(() => null);
          if (existing && !isOurDrawing(existing))
            fail(
              `✗ Nothing was drawn: art/${image} was not drawn by this command. To replace it, add --replace.`,
            );
        }
        const site = await context.readSite([siteSettingsFile, lookFile]);
        const identity = { ...site.read(siteSettingsFile), look: site.read(lookFile) };
        for (const image of images) {
          const path = toPath(image);
          const drawing = await drawImage(context.runInWorker, image, identity);
          await tryFile(context, { path, action: "write" }, () => writeFile(path, drawing));
          context.print(`✓ ${path}`);
        }
        context.result({ images });
      },
    }),
  },
});

/** Fetches each feed, and returns the plan with the names and final URLs of all feeds. */
async function checkFeeds(context: ServerCommandContext, plan: TypedPlan): Promise<CityPlan> {
  const userAgent = `Harborline/1.0 (+https://${plan.domain}/about)`;
  const feeds: CityPlan["feeds"] = [];
  // A newsroom may have several feeds on one host, and each needs a name of its own.
  const toFreeName = (host: string) => {
    const isFree = (name: string) => !feeds.some((feed) => feed.name === name);
    let name = host;
    for (let number = 2; !isFree(name); number += 1) name = `${host} ${number}`;
    return name;
  };
  for (const typedUrl of plan.feeds) {
    const { url, check } = await findFeed(context, typedUrl, userAgent);
    if (!check.ok) fail(`✗ No city was created, because of the feed ${url}: ${check.fault}.`);
    feeds.push({ name: toFreeName(toSourceName(typedUrl)), url });
  }
  return { ...plan, feeds };
}

/**
 * Writes the city into a temporary folder, checks it, and then renames the folder, so that a
 * running server never sees half a city. Returns the number of files.
 */
async function createCity(
  context: ServerCommandContext,
  checkReferences: CheckReferences,
  plan: CityPlan,
  sites: string,
): Promise<number> {
  const target = join(sites, plan.id);
  if (await stat(target).catch(() => null))
    fail(`✗ ${target} already exists. Choose another name, or delete the folder first.`);
  const network = await openNetwork(sites);
  const entry = { id: plan.id, name: plan.name, url: `https://${plan.domain}` };
  // `addCity` refuses a city that the file cannot list, so it runs before anything is written.
  addCity(network, entry);
  const values = listValues(
    plan,
    readNetworkName(network),
    calendarDay(context.clock(), plan.timeZone),
  );
  const files = [
    ...(await renderTexts(plan, values)).map(({ path, text }) => [path, text] as const),
    ...(await drawAll(context, { ...plan, look: await readTemplateLook() })),
  ];
  await mkdir(sites, { recursive: true });
  // Folders that begin with a dot are not cities.
  const folder = await mkdtemp(join(sites, `.${plan.id}-`));
  try {
    await mkdir(join(folder, "art"));
    for (const [path, content] of files) await writeFile(join(folder, path), content);
    await requireValid(context, checkReferences, folder);
    // A temporary folder is private, but others may have to read the city and to write into it.
    await chmod(folder, (await stat(sites)).mode);
    // The file may have been edited while the city was drawn.
    const newNetwork = addCity(await openNetwork(sites), entry);
    await rename(folder, target);
    await replaceFile(join(sites, networkFileName), newNetwork);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return files.length;
}

const drawAll = async ({ runInWorker }: ServerCommandContext, identity: CityIdentity) =>
  Promise.all(
    (await listImages()).map(
      async (image) => [`art/${image}`, await drawImage(runInWorker, image, identity)] as const,
    ),
  );

/** Ends the command if `validate` would report a problem, such as a name that is too long. */
async function requireValid(
  { siteFiles, runInWorker }: ServerCommandContext,
  checkReferences: CheckReferences,
  folder: string,
): Promise<void> {
  const services = () => Promise.reject(new Error("A new city has no database."));
  const reports = await readCity(
    { siteFolder: folder, siteFiles, runInWorker, services },
    checkReferences,
  );
  for (const { file, problems } of reports)
    for (const problem of problems)
      fail(`✗ No city was created, because of ${file}: ${toProblemSentence(problem)}`);
}
