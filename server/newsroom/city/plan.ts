import { z } from "zod";
import { type Part, parts } from "../../../app/lib/links/parts.ts";
import { refuseCommand } from "../../../app/lib/newsroom/command-error.ts";
import { toSlug } from "../../../app/lib/text/slug.ts";
import { suggest } from "../help.ts";

type State = { code: string; name: string };

/** The states of the United States with their postal codes. */
const states: State[] = `
  AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut,
  DE Delaware, DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois,
  IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland,
  MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana,
  NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York,
  NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania,
  RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah,
  VT Vermont, VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming
`
  .split(",")
  .map((entry) => entry.trim())
  .map((entry) => ({ code: entry.slice(0, 2), name: entry.slice(3) }));

/** Finds a state by its name or its postal code. Upper case does not matter. */
function findState(typed: string): State | undefined {
  const wanted = typed.trim().toLowerCase();
  return states.find(({ code, name }) =>
    [code, name].some((each) => each.toLowerCase() === wanted),
  );
}

/** A new city has no station and no books of its own, so nothing true could be said about them. */
const neverAtFirst: Part[] = ["radio", "books"];

export type CityPlan = {
  id: string;
  name: string;
  /** The name without the city: "Harborline" for "Harborline Annapolis" in Annapolis. */
  shortName: string;
  city: string;
  state: State;
  timeZone: string;
  latitude: number;
  longitude: number;
  domain: string;
  without: Part[];
  feeds: { name: string; url: string }[];
};

/** The plan as it was typed: the feeds have no names yet. */
export type TypedPlan = Omit<CityPlan, "feeds"> & { feeds: string[] };

/** Names become parts of YAML, Markdown and SVG files, so they contain only what names contain. */
const name = (what: string) =>
  z
    .string()
    .trim()
    .regex(
      /^\p{L}[\p{L}\p{M}\p{N} .'’&-]{0,59}$/u,
      `${what} must begin with a letter and have at most 60 letters, digits, spaces and . ' & -`,
    );

const coordinate = (option: string, limit: number, example: string) => {
  const message = `${option} must be a number from -${limit} to ${limit}, such as ${example}`;
  return (
    z
      .string()
      // An empty text is not a number, although Number("") is 0.
      .transform((typed) => (typed.trim() === "" ? Number.NaN : Number(typed)))
      .pipe(z.number(message).min(-limit, message).max(limit, message))
  );
};

const list = z.string().transform((typed) => typed.split(",").map((each) => each.trim()));

const feedUrl = z.url({
  protocol: /^https?$/,
  error: ({ input }) =>
    `"${input}" is not the URL of a feed, such as https://news.example.com/feed`,
});

const schema = z.object({
  id: z.string().superRefine((id, context) => {
    if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) && id.length <= 40) return;
    const slug = toSlug(id).slice(0, 40).replace(/-$/, "");
    context.addIssue(
      `"${id}" cannot be the name of a city folder: use lowercase letters, digits and hyphens${slug ? `, such as ${slug}` : ""}`,
    );
  }),
  name: name("The name of the site"),
  city: name("The name of the city"),
  state: z.string().transform((typed, context) => {
    const state = findState(typed);
    if (state) return state;
    context.addIssue(
      `"${typed}" is not a state of the United States.${suggest(
        typed,
        states.map(({ name: state }) => state),
      )}`,
    );
    return z.NEVER;
  }),
  "time-zone": z.string().superRefine((zone, context) => {
    const zones = Intl.supportedValuesOf("timeZone");
    if (!zones.includes(zone))
      context.addIssue(`"${zone}" is not a time zone.${suggest(zone, zones)}`);
  }),
  lat: coordinate("The latitude", 90, "38.98"),
  lon: coordinate("The longitude", 180, "-76.49").refine(
    (degrees) => degrees < 0,
    "The longitude of a city in the United States is negative, such as -76.49",
  ),
  domain: z
    .string()
    .regex(
      /^(?=.{4,253}$)[a-z0-9]([a-z0-9-]{0,62}\.)+[a-z][a-z0-9-]{0,62}$/,
      "The domain must be a host name in lowercase, such as annapolis.example.com, without https:// and without a path",
    ),
  without: list
    .pipe(
      z.array(
        z.enum(parts, {
          error: ({ input }) =>
            `"${input}" is not a part that can be left out: choose among ${parts.join(", ")}`,
        }),
      ),
    )
    .default([]),
  feeds: list.pipe(z.array(feedUrl)).default([]),
});

/** The options that a city cannot do without, as people type them. */
const required = ["name", "city", "state", "time-zone", "lat", "lon", "domain"];

/**
 * Reads the options of `city new`. Ends the command with one sentence if something is missing or
 * wrong.
 */
export function readPlan(options: Record<string, unknown>): TypedPlan {
  const missing = required.filter((option) => options[option] === undefined);
  if (missing.length > 0)
    refuseCommand(`The new city needs ${missing.map((option) => `--${option}`).join(", ")}.`);
  const parsed = schema.safeParse(options);
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? "";
    refuseCommand(/[.?]$/.test(message) ? message : `${message}.`);
  }
  const { lat, lon, "time-zone": timeZone, ...plan } = parsed.data;
  const rest = plan.name.endsWith(` ${plan.city}`) ? plan.name.slice(0, -plan.city.length - 1) : "";
  return {
    ...plan,
    timeZone,
    shortName: rest || plan.name,
    latitude: lat,
    longitude: lon,
    without: parts.filter((part) => neverAtFirst.includes(part) || plan.without.includes(part)),
  };
}
