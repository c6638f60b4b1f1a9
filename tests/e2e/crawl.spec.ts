import { expect, test } from "./support.ts";

test("every internal link leads somewhere", async ({ request }) => {
  const answers = new Map<string, number>();
  const queue = ["/"];
  const visit = async (path: string) => {
    // The stream has no end to wait for.
    const method = path.startsWith("/api/stream") ? "HEAD" : "GET";
    const answer = await request.fetch(path, { method, maxRedirects: 0 });
    answers.set(path, answer.status());
    if (!answer.headers()["content-type"]?.startsWith("text/html")) return;
    // Filters can be combined to hundreds of addresses; one at a time is enough.
    for (const [, link = ""] of (await answer.text()).matchAll(/\s(?:href|src|action)="(\/[^"#]*)/g))
      if (!link.includes("&")) queue.push(link);
  };
  while (queue.length > 0) {
    const next = [...new Set(queue.splice(0))].filter((path) => !answers.has(path));
    for (let start = 0; start < next.length; start += 8)
      await Promise.all(next.slice(start, start + 8).map(visit));
  }
  const broken = [...answers].filter(([, status]) => status !== 200).sort();
  expect(broken).toEqual([]);
  expect([...answers.keys()]).toEqual(
    expect.arrayContaining(["/terms", "/newsletter", "/search", "/art/hero.svg"]),
  );
});
