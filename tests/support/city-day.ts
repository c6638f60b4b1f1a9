import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { addDays, calendarDay, instantAt } from "../../app/lib/dates.ts";
import type { TestCity } from "./city.ts";
import { startLiveCity } from "./live-city.ts";
import { runInServer } from "./newsroom.ts";

/**
 * Starts a city on an ordinary day: invented headlines from its sources, of which two report what
 * our own story leads with, six stories with photos, and ten events from tonight to next week.
 */
export async function startCityDay(): Promise<TestCity & { now: Date }> {
  const timeZone = "America/New_York";
  const today = calendarDay(new Date(), timeZone);
  const now = instantAt(today, "16:10", timeZone);
  const city = await startLiveCity({ FAKE_NOW: now.toISOString() }, undefined, listHeadlines);
  const save = (file: string, content: string | Buffer) =>
    writeFile(join(city.siteFolder, file), content);
  for (const [index, [name, scene]] of Object.entries(photos).entries())
    await save(`art/day-${name}.jpg`, await createScene(scene, index));
  for (const [index, story] of stories.entries())
    await save(`news/${story.name}.md`, describeStory(story, today, index));
  for (const event of events) await save(`events/${event.name}.md`, describeEvent(event));
  const { code, output } = await runInServer(city.dataDir, ["validate"]);
  if (code !== 0) throw new Error(`The day has mistakes: ${output}`);
  for (const path of [...stories.map(({ name }) => `/news/${name}`), "/events"])
    while (!(await hasDay(city.server.url + path))) await new Promise(setImmediate);
  return { ...city, now };
}

async function hasDay(url: string): Promise<boolean> {
  const response = await fetch(url);
  return response.ok && (await response.text()).includes("day-");
}

type Scene = { sky: [string, string]; ground: string; size: [number, number]; shapes: string };

const repeat = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => draw(index)).join("");
const box = (x: number, y: number, width: number, height: number, fill: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;
const person = (x: number, y: number, size: number, coat: string) =>
  `<circle cx="${x}" cy="${y}" r="${size}" fill="#8a5a44"/><path d="M${x - size * 2} ${y + size * 9}q0-${size * 7.6} ${size * 2}-${size * 7.6}t${size * 2} ${size * 7.6}z" fill="${coat}"/>`;

const photos: Record<string, Scene> = {
  ferry: {
    sky: ["#3f5f86", "#e8b48a"],
    ground: "#27465f",
    size: [2_400, 1_600],
    shapes:
      repeat(16, (index) =>
        box(index * 15, 62 + (index % 4) * 5, 12, 45, index % 3 ? "#4b5568" : "#5d4a50"),
      ) +
      box(70, 96, 96, 20, "#f4f1ea") +
      box(88, 84, 52, 12, "#d9dfe5") +
      box(70, 112, 96, 6, "#a5342b"),
  },
  market: {
    sky: ["#c99b5f", "#7c4a2d"],
    ground: "#4a3527",
    size: [1_600, 2_400],
    shapes:
      repeat(5, (index) => box(index * 34, 10, 5, 190, "#5f3d27")) +
      box(0, 168, 160, 22, "#c9cfc9") +
      person(78, 66, 13, "#27506b"),
  },
  school: {
    sky: ["#9fc3dd", "#dce7e6"],
    ground: "#8f9a6b",
    size: [2_400, 1_600],
    shapes:
      box(40, 50, 160, 70, "#9c5a42") +
      repeat(7, (index) => box(50 + index * 21, 62, 12, 18, "#e7eef2")) +
      person(96, 104, 5, "#b33a3a") +
      person(120, 106, 5, "#324b7a") +
      person(140, 103, 5, "#d0a13a"),
  },
  bridge: {
    sky: ["#2a3854", "#8d98ad"],
    ground: "#33475a",
    size: [2_800, 1_200],
    shapes:
      box(0, 60, 280, 5, "#c7ccd4") +
      repeat(8, (index) => box(15 + index * 36, 62, 6, 50, "#aeb6c1")),
  },
  park: {
    sky: ["#b9d2dc", "#f1e4c3"],
    ground: "#7c7a3c",
    size: [2_400, 1_600],
    shapes: repeat(
      14,
      (index) =>
        `<circle cx="${index * 18 + 6}" cy="${66 + (index % 3) * 8}" r="${17 + (index % 4) * 3}" fill="${["#b4622d", "#c98b34", "#8c4a26", "#6d7334"][index % 4]}"/>`,
    ),
  },
  stage: {
    sky: ["#1b1526", "#59324d"],
    ground: "#20161f",
    size: [2_400, 1_600],
    shapes: `<path d="M120 0 70 120h100z" fill="#f4d9a8" opacity=".35"/>${person(108, 66, 8, "#b98f3a")}${person(144, 70, 8, "#3a5a70")}`,
  },
};

/** A scene with the grain of a photo. */
async function createScene({ sky, ground, size, shapes }: Scene, seed: number): Promise<Buffer> {
  const [width, height] = [size[0] / 10, size[1] / 10];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient><filter id="grain"><feTurbulence baseFrequency=".9" numOctaves="2" seed="${seed}"/><feColorMatrix values="0 0 0 0 .5 0 0 0 0 .5 0 0 0 0 .5 0 0 0 .22 0"/></filter><rect width="100%" height="100%" fill="url(#sky)"/><rect y="${height * 0.68}" width="100%" height="${height * 0.32}" fill="${ground}"/>${shapes}<rect width="100%" height="100%" filter="url(#grain)" opacity=".5"/></svg>`;
  return sharp(Buffer.from(svg), { density: 72 })
    .resize(...size)
    .jpeg({ quality: 88 })
    .toBuffer();
}

type Story = {
  name: string;
  title: string;
  excerpt: string;
  category: string;
  author: string;
  photo: string;
  alt: string;
};

const stories: Story[] = [
  {
    name: "harbor-ferry-winter",
    title: "Harbor ferry will run all winter, and stay free",
    excerpt:
      "The city found the money to keep the connector boats between Locust Point and Canton in service until April. Commuters had collected 4,000 signatures.",
    category: "Local",
    author: "Renata Calloway",
    photo: "ferry",
    alt: "A white ferry with a red waterline crosses the harbor in front of brick houses at dusk.",
  },
  {
    name: "lexington-butcher",
    title: "After 61 years, the last butcher of stall 14 hangs up his apron",
    excerpt:
      "Leon Barrett began at Lexington Market at nine, standing on a crate. On Saturday he sells his last pork chop.",
    category: "Food",
    author: "Dana Whitfield",
    photo: "market",
    alt: "An old man in a blue coat leans on the white counter of a market stall.",
  },
  {
    name: "school-heating",
    title: "Eleven schools will get new heating before January",
    excerpt:
      "After two cold winters, the district moved the repairs forward. Parents want to see the dates in writing.",
    category: "Local",
    author: "Marcus Oyelaran",
    photo: "school",
    alt: "Three children walk past a brick school with tall white windows.",
  },
  {
    name: "bridge-piers",
    title: "The first piers of the new bridge rise from the Patapsco",
    excerpt:
      "Crews poured concrete through the night. The state still says that the first cars will cross in 2030.",
    category: "Local",
    author: "Renata Calloway",
    photo: "bridge",
    alt: "A long row of pale bridge piers rises from gray water under a dark sky.",
  },
  {
    name: "druid-hill-trees",
    title: "Druid Hill Park is losing its oldest oaks, and gaining 900 saplings",
    excerpt: "A beetle smaller than a grain of rice is changing the skyline of the park.",
    category: "Environment",
    author: "Dana Whitfield",
    photo: "park",
    alt: "Trees with orange and brown leaves stand along a meadow.",
  },
  {
    name: "station-north-stage",
    title: "A basement stage in Station North sells out with no name on the door",
    excerpt: "Two friends put forty chairs into a former print shop. They have never bought an ad.",
    category: "Culture",
    author: "Marcus Oyelaran",
    photo: "stage",
    alt: "Two musicians play in a cone of warm light on a small dark stage.",
  },
];

const describeStory = (story: Story, today: string, index: number) => `---
title: ${JSON.stringify(story.title)}
excerpt: ${JSON.stringify(story.excerpt)}
category: ${story.category}
author: ${story.author}
date: ${addDays(today, -index)}
image:
  file: day-${story.photo}.jpg
  alt: ${JSON.stringify(story.alt)}
  credit: ${story.author}
---

${story.excerpt}

"We asked for an answer before Thanksgiving, and we've got one," said Gloria Simms, who has lived on Hull Street since '84. Others were more careful -- they want to see the schedule first.

## What happens next

The council votes on Monday at 5 PM. Anyone can speak for two minutes; sign-up ends at noon.

- The hearing is in the Du Burns chamber, on the fourth floor of City Hall.
- It is also shown on the city's channel.

## What it costs

The budget office puts it at $1.4 million. The money comes from the parking fund, which ended the year with more than anybody had expected.
`;

type DayEvent = {
  name: string;
  title: string;
  excerpt: string;
  category: string;
  location: string;
  inDays: number;
  at: [string, string];
  free?: true;
  photo?: string;
};

const events: DayEvent[] = [
  {
    name: "day-brass-night",
    title: "Brass Night at the Print Shop",
    excerpt: "Nine horns, no microphones.",
    category: "Music",
    location: "1700 N Charles St, Station North",
    inDays: 0,
    at: ["20:00", "22:30"],
    photo: "stage",
  },
  {
    name: "day-council-hearing",
    title: "Hearing: The Harbor Connector",
    excerpt: "The committee hears residents about the winter schedule.",
    category: "Community",
    location: "City Hall, 100 Holliday St, Downtown",
    inDays: 0,
    at: ["17:00", "19:00"],
    free: true,
  },
  {
    name: "day-oyster-social",
    title: "Oyster Social for the Creek",
    excerpt: "A dozen oysters, and the shells go back into the bay.",
    category: "Food",
    location: "Union Craft Brewing, Hampden",
    inDays: 1,
    at: ["18:00", "21:00"],
  },
  {
    name: "day-story-slam",
    title: "Story Slam: First Jobs",
    excerpt: "Eight people, five minutes each, one bell.",
    category: "Arts",
    location: "Creative Alliance, Highlandtown",
    inDays: 2,
    at: ["19:30", "21:30"],
  },
  {
    name: "day-leaf-walk",
    title: "Last Leaves: a Walk Through Druid Hill",
    excerpt: "Two slow miles with a forester.",
    category: "Outdoors",
    location: "Howard Peters Rawlings Conservatory, Druid Hill Park",
    inDays: 3,
    at: ["9:30", "11:30"],
    free: true,
    photo: "park",
  },
  {
    name: "day-market-tour",
    title: "Behind the Stalls: Lexington Market Before Opening",
    excerpt: "A butcher, a baker and a crab steamer show their mornings.",
    category: "Food",
    location: "Lexington Market, 112 N Eutaw St, Downtown",
    inDays: 4,
    at: ["7:00", "8:30"],
    photo: "market",
  },
  {
    name: "day-skate-night",
    title: "Roller Skate Night",
    excerpt: "Rentals at the door, and a DJ who takes requests.",
    category: "Family",
    location: "Shake & Bake Family Fun Center, Upton",
    inDays: 4,
    at: ["18:00", "22:00"],
  },
  {
    name: "day-harbor-paddle",
    title: "Sunrise Paddle",
    excerpt: "Two hours on the water, for people who can swim.",
    category: "Outdoors",
    location: "Canton Waterfront Park, Canton",
    inDays: 5,
    at: ["6:30", "8:30"],
    photo: "ferry",
  },
  {
    name: "day-book-club",
    title: "Book Club: Novels of the Great Migration",
    excerpt: "This month: The Street by Ann Petry.",
    category: "Books",
    location: "Enoch Pratt Free Library, Pennsylvania Avenue Branch, Upton",
    inDays: 6,
    at: ["18:30", "20:00"],
    free: true,
  },
  {
    name: "day-choir",
    title: "Winter Choir, Open Rehearsal",
    excerpt: "Come and sing, or only listen.",
    category: "Music",
    location: "Basilica of the Assumption, Mount Vernon",
    inDays: 8,
    at: ["19:00", "20:30"],
    free: true,
  },
];

const describeEvent = ({ inDays, at, photo, ...event }: DayEvent) => `---
title: ${JSON.stringify(event.title)}
excerpt: ${JSON.stringify(event.excerpt)}
category: ${event.category}
location: ${JSON.stringify(event.location)}
free: ${event.free ?? false}
starts: { inDays: ${inDays}, at: "${at[0]}" }
ends: { inDays: ${inDays}, at: "${at[1]}" }
${photo ? `image:\n  file: day-${photo}.jpg\n  alt: ${JSON.stringify(event.excerpt)}\n` : ""}---

${event.excerpt} Doors open half an hour earlier.
`;

/** The sources of a section take its headlines in turn. */
function listHeadlines(section: string, source: number): string[] {
  const titles =
    headlinesOf[section] ??
    otherHeadlines.map((title) => `${section[0]?.toUpperCase()}${section.slice(1)}: ${title}`);
  return titles.filter((_, index) => index % 5 === source % 5);
}

const headlinesOf: Record<string, string[]> = {
  local: [
    "Free harbor ferry will run all winter, city says",
    "City to keep harbor ferry running through the winter, and it stays free",
    "MAN ARRESTED AFTER STANDOFF ON GREENMOUNT AVENUE, BPD SAYS",
    "Baltimore's water bills are going up again. Here's what changes in July",
    "Council delays vote on vacant-house tax until December",
    "Morgan State opens its new public health building",
    "Police: two teens hurt in crash on I-83 near Cold Spring Lane",
    "Patterson Park's Pagoda reopens after two years of repairs",
    "Why a stretch of North Avenue keeps flooding",
    "Fells Point merchants ask for a longer curfew on trucks",
    "Coppin State nursing program gets $5 million gift",
    "A Park Heights corner store becomes a grocery, with help from its customers",
    "School board picks three finalists for CEO",
    "The Pratt Library will lend snow shovels this winter",
    "MTA adds trips to the CityLink Gold",
    "Curtis Bay residents get their first air monitor results",
  ],
  politics: [
    "Gov. Moore proposes a freeze on state hiring",
    "Maryland's budget gap grows to $1.8 billion, analysts say",
    "Early voting begins in three weeks: what is on the ballot",
    "Senate panel questions the cost of the new bridge",
    "County executives ask for a say in data center permits",
  ],
  business: [
    "Port of Baltimore sets a record for cars in October",
    "A bakery chain from Hamilton opens its tenth shop",
    "Under Armour will sublet part of its new headquarters",
    "Small firms say that tariffs have doubled their paperwork",
    "Harborplace plan goes to court in January",
  ],
  sports: [
    "Orioles sign a left-handed starter for two years",
    "Ravens hold on after a blocked kick in the last minute",
    "City College wins its first state title since 1998",
    "Preakness will return to Pimlico in spring",
    "Towson beats Morgan State in overtime",
  ],
  culture: [
    "The BMA's new wing opens with a quilt as large as a rowhouse",
    "John Waters gives his papers to the Pratt",
    "A mural on Howard Street gets its painter back after 20 years",
    "The Senator will show silent films with a live band",
  ],
};
const otherHeadlines = [
  "Negotiators return to the table after a week of silence",
  "Storm moves up the coast with less wind than feared",
  "New rules for hospital bills start on Monday",
  "What a quiet year in the labs may mean for batteries",
  "The long argument about daylight saving time, settled again",
];
