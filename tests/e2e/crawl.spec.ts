import { expect, test } from "./support.ts";

/** Pages that are linked but not built yet. The list only ever gets shorter. */
const notYetBuilt = [
  "/archives",
  "/automotive",
  "/blog",
  "/business",
  "/culture",
  "/events",
  "/food",
  "/health",
  "/lifestyle",
  "/local",
  "/national",
  "/news",
  "/opinion",
  "/politics",
  "/radio",
  "/realestate",
  "/sports",
  "/technology",
  "/world",
];

test("every internal link leads somewhere", async ({ request }) => {
  const answers = new Map<string, number>();
  const queue = ["/"];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (answers.has(path)) continue;
    const answer = await request.get(path, { maxRedirects: 0 });
    answers.set(path, answer.status());
    if (!answer.headers()["content-type"]?.startsWith("text/html")) continue;
    for (const [, link = ""] of (await answer.text()).matchAll(/\s(?:href|src|action)="(\/[^"#]*)/g))
      queue.push(link.replaceAll("&amp;", "&"));
  }
  const broken = [...answers].filter(([, status]) => status !== 200).sort();
  expect(broken).toEqual(notYetBuilt.map((path) => [path, 404]));
  expect([...answers.keys()]).toEqual(
    expect.arrayContaining(["/terms", "/newsletter", "/search", "/art/hero.svg"]),
  );
});
