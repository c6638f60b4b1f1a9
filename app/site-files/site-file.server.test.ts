import { describe, expect, it } from "vitest";
import { z } from "zod";
import { siteFile, sitePage } from "./site-file.server.ts";

const file = siteFile(
  "team.yaml",
  z.strictObject({
    heading: z.string(),
    members: z.array(z.strictObject({ name: z.string(), age: z.number() })),
  }),
);

describe("a YAML file of the city", () => {
  it("becomes a validated value", () => {
    const parsed = file.parse("heading: Team\nmembers:\n  - { name: Ada, age: 36 }\n");
    expect(parsed).toEqual({
      ok: true,
      value: { heading: "Team", members: [{ name: "Ada", age: 36 }] },
    });
  });

  it("reports the line and the field of a wrong value inside a list", () => {
    const parsed = file.parse(
      "heading: Team\nmembers:\n  - name: Ada\n    age: 36\n  - name: Bo\n    age: old\n",
    );
    expect(parsed).toMatchObject({ ok: false, problems: [{ line: 6, field: "members.1.age" }] });
  });

  it("reports the nearest line if a field is missing", () => {
    const parsed = file.parse("heading: Team\nmembers:\n  - name: Ada\n");
    expect(parsed).toMatchObject({ ok: false, problems: [{ line: 3, field: "members.0.age" }] });
  });

  it("reports a misspelled setting", () => {
    const parsed = file.parse("heading: Team\nmembers: []\nheadnig: Oops\n");
    expect(parsed).toMatchObject({ ok: false, problems: [{ line: 3, field: "headnig" }] });
  });

  it.each([
    ["an unclosed bracket", "heading: Team\nmembers: [\n"],
    ["the same setting twice", "heading: Team\nheading: Again\nmembers: []\n"],
    ["an alias that points nowhere", "heading: *Important\nmembers: []\n"],
    ["a tab for an indent", "heading: Team\nmembers:\n\t- name: Ada\n"],
    ["thousands of brackets", `heading: ${"[".repeat(8_000)}\n`],
  ])("is refused for %s", (_mistake, source) => {
    expect(file.parse(source)).toMatchObject({ ok: false, problems: [{ field: "" }] });
  });

  // `npm run bench:texts` measures that the time grows in proportion to the number of settings.
  it("is refused with the first problems only if it has very many settings", () => {
    const settings = Array.from({ length: 3_000 }, (_, index) => `s${index}: 1\n`).join("");
    const parsed = file.parse(settings);
    const unknown = parsed.ok ? [] : parsed.problems.filter(({ field }) => /^s\d/.test(field));
    expect(unknown.map(({ line }) => line)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(file.parse(`${settings}s5: 1\n`)).toMatchObject({
      ok: false,
      problems: [{ line: 3_001, field: "" }],
    });
  });

  it.each(["", "# only a comment\n", "just words\n", "- a list\n"])(
    "is refused if its content is %j",
    (source) => {
      expect(file.parse(source)).toMatchObject({ ok: false });
    },
  );
});

describe("a Markdown page of the city", () => {
  const page = sitePage("rules.md", z.strictObject({ title: z.string(), order: z.number() }));

  it("has settings and text", () => {
    const parsed = page.parse("---\ntitle: Rules\norder: 1\n---\n\n## Be *kind*\n\nAlways.\n");
    expect(parsed).toEqual({
      ok: true,
      value: {
        front: { title: "Rules", order: 1 },
        html: '<h2 id="be-kind">Be <em>kind</em></h2>\n<p>Always.</p>',
        headings: [{ id: "be-kind", text: "Be kind" }],
        unknownLinks: [],
      },
    });
  });

  it("counts lines from the top of the file, not from the first setting", () => {
    const parsed = page.parse("---\ntitle: Rules\norder: first\n---\ntext\n");
    expect(parsed).toMatchObject({ ok: false, problems: [{ line: 3, field: "order" }] });
  });

  it("must begin with its settings", () => {
    expect(page.parse("# Rules\n")).toMatchObject({
      ok: false,
      problems: [
        { line: 1, field: "", message: expect.stringContaining("must begin with a line of ---") },
      ],
    });
  });

  it("is refused if its text is too deeply nested", () => {
    const parsed = page.parse(`---\ntitle: Rules\norder: 1\n---\n${">".repeat(10_000)}`);
    expect(parsed).toMatchObject({ ok: false, problems: [{ line: 5, field: "the text" }] });
  });

  it("never contains a script", () => {
    const front = "---\ntitle: T\norder: 1\n---\n";
    const parsed = page.parse(`${front}[x](javascript:alert(1)) [y](data:text/html,x)\n`);
    expect(parsed.ok && parsed.value.html).not.toMatch(/script|data:/);
    expect(page.parse(`${front}Words.\n\n<script>alert(1)</script>\n`)).toMatchObject({
      ok: false,
      problems: [{ line: 7, message: expect.stringContaining("<script>") }],
    });
  });

  it("gives two headings with the same text different ids", () => {
    const parsed = page.parse("---\ntitle: T\norder: 1\n---\n## Why\n\n## Why\n");
    expect(parsed.ok && parsed.value.html).toBe('<h2 id="why">Why</h2>\n<h2 id="why-2">Why</h2>');
  });
});
