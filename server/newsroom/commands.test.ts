import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { CommandError } from "../../app/lib/newsroom/command-error.ts";
import { formatTable } from "../../app/lib/newsroom/printing.ts";
import { pickAll } from "../../app/lib/newsroom/selection.ts";
import { type Command, noVerb, verb } from "../../app/platform/command.ts";
import { bareHost } from "../../tests/support/command-host.ts";
import { createCommands } from "../composition.ts";
import { parseCommand } from "./command-line.ts";
import { type AnyCommand, runCommand } from "./commands.ts";
import { fullVerbName } from "./help.ts";
import { runWithJson } from "./print-json.ts";

const count: Command = {
  name: "count",
  group: "Content",
  summary: "Count animals.",
  examples: ["count crabs", "count gulls harbor --to 3"],
  verbs: {
    crabs: verb({
      async run(context) {
        context.print("Three crabs.");
        context.result({ things: "crabs", count: 3 });
      },
    }),
    gulls: verb({
      arguments: {
        place: { required: true, description: "where to count" },
        more: { repeated: true, description: "more places" },
      },
      options: {
        to: { type: "integer", value: "number", min: 1, max: 9, description: "where to stop" },
        name: { type: "string", value: "name", repeated: true, description: "a name for one" },
        all: { type: "flag", description: "include young gulls" },
        color: { type: "string", value: "color", description: "only gulls of this color" },
      },
      async run(context, values) {
        context.result(values);
      },
    }),
  },
};

async function run(commands: AnyCommand[], argv: string[], host = bareHost) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const code = await runWithJson(argv, { ...host, print }, (words, caller) =>
    runCommand(commands, words, caller),
  );
  return { code, output: lines.join("\n") };
}
const runCount = (...argv: string[]) => run([count], argv);

describe("a command", () => {
  it("prints sentences for people", async () => {
    expect(await runCount("count", "crabs")).toEqual({ code: 0, output: "Three crabs." });
  });

  it("prints nothing but JSON with --json", async () => {
    const { code, output } = await runCount("count", "--json", "crabs");
    expect(code).toBe(0);
    expect(JSON.parse(output)).toEqual({ things: "crabs", count: 3 });
  });

  it("prints JSON with --json even if the command is invalid", async () => {
    const { code, output } = await runCount("count", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(output)).toEqual({
      exit: 2,
      lines: [
        '"count" needs a verb, one of: crabs, gulls.',
        'Run "./newsroom help count" for examples.',
      ],
    });
  });

  it.each([
    ["gulls pier --to 3 --name A --name B", { to: 3, name: ["A", "B"] }],
    ["gulls pier --to=3 --name=A --name=B", { to: 3, name: ["A", "B"] }],
    ["--to 3 gulls --name A pier --name B", { to: 3, name: ["A", "B"] }],
    ["gulls pier harbor bay --all", { more: ["harbor", "bay"], all: true }],
    ["gulls pier --color=--grey", { color: "--grey" }],
    ["gulls --to 3 -- pier --all --json", { to: 3, more: ["--all", "--json"], all: false }],
  ])("parses %j, no matter where the options are", async (words, expected) => {
    const { code, output } = await runCount("count", "--json", ...words.split(" "));
    expect(JSON.parse(output)).toMatchObject({ place: "pier", ...expected });
    expect(code).toBe(0);
  });

  it.each([
    ["cuont crabs", 'Unknown command "cuont". Did you mean "count"?'],
    ["help coutn", 'Unknown command "coutn". Did you mean "count"?'],
    ["count crab", '"count" has no verb "crab". Did you mean "count crabs"?'],
    ["count glus", '"count" has no verb "glus". Did you mean "count gulls"?'],
    ["count constructor", '"count" has no verb "constructor". Use one of: crabs, gulls.'],
    ["count crabs --al", '"count crabs" has no option "--al".'],
    ["count crabs --jsno", '"count crabs" has no option "--jsno". Did you mean "--json"?'],
    [
      "count crabs --new-databse",
      '"count crabs" has no option "--new-databse". Did you mean "--new-database"?',
    ],
    ["count crabs all", '"count crabs" takes no arguments. Remove "all".'],
    ["count gulls", '"count gulls" needs <place>: where to count.'],
    [
      "count gulls pier --clor=grey",
      '"count gulls" has no option "--clor". Did you mean "--color"?',
    ],
    ["count gulls pier -all", '"count gulls" has no option "-all". Did you mean "--all"?'],
    ["count gulls pier --__proto__=1", '"count gulls" has no option "--__proto__".'],
    ["count gulls pier --all=yes", '"--all" of "count gulls" takes no value.'],
    ["count gulls pier --color", '"--color" of "count gulls" needs a value: --color <color>.'],
    [
      "count gulls pier --color --all",
      '"--color" of "count gulls" needs a value: --color <color>. If "--all" is the value, type --color=--all.',
    ],
    ["count gulls pier --color a --color b", '"count gulls" accepts "--color" only once.'],
    ["count gulls pier --to 10", '"--to" must be a whole number from 1 to 9: where to stop.'],
    ["count gulls pier --to 1e0", '"--to" must be a whole number from 1 to 9: where to stop.'],
  ])("explains the mistake in %j", async (words, message) => {
    const { code, output } = await runCount(...words.split(" "));
    expect(output.split("\n")[0]).toBe(message);
    expect(code).toBe(2);
  });

  it("is suggested for the singular of its name", async () => {
    const { output } = await run(commands, ["story", "list"]);
    expect(output).toContain('Unknown command "story". Did you mean "stories"?');
  });

  it("gets no suggestion if its name is not similar to any other", async () => {
    for (const words of [["frobnicate"], ["count", "elephants"]])
      expect((await runCount(...words)).output).not.toContain("Did you mean");
  });

  it("is listed under its heading for people, and with all details in JSON", async () => {
    expect((await runCount()).output).toContain("Content:\n  count        Count animals.");
    const usage =
      "count crabs | gulls <place> [more] … [--to <number>] [--name <name>] … [--all] [--color <color>]";
    expect(JSON.parse((await runCount("help", "--json")).output)).toEqual([
      { name: "count", summary: "Count animals.", usage, examples: count.examples },
    ]);
    expect((await runCount("--version")).output).toMatch(/^Harborline \d+\.\d+\.\d+$/);
  });

  it("has help that shows its arguments and options, no matter how a person asks for it", async () => {
    const { code, output } = await runCount("help", "count");
    expect(output).toContain("  ./newsroom count gulls <place> [more] …");
    expect(output).toContain("      --all            include young gulls");
    expect(code).toBe(0);
    for (const words of [
      ["count", "--help"],
      ["count", "gulls", "-h"],
      ["--help", "count"],
    ])
      expect(await runCount(...words)).toEqual({ code, output });
  });
});

const shippedHost = { ...bareHost, siteFolder: resolve("sites/baltimore") };
const commands = createCommands(() => expect.unreachable());
const declared = commands.flatMap((command) =>
  Object.entries(command.verbs).map(([name, declaration]) => ({
    command,
    declaration,
    typed: fullVerbName(command, name),
    words: [
      ...(name === noVerb ? [] : [name]),
      ...Object.values(declaration.arguments ?? {}).flatMap(({ required }) =>
        required ? ["x"] : [],
      ),
    ],
  })),
);

describe("the commands of all features", () => {
  it("are registered", () => {
    expect(commands.length).toBeGreaterThanOrEqual(15);
  });

  it("include every command that the operations guide mentions", () => {
    const guide = readFileSync("docs/operations.md", "utf8");
    const mentionedCommands = new Set(
      [...guide.matchAll(/\.?\/newsroom ([a-z]+(?: [a-z]+)?)(?=[ `\n])/g)].map(
        ([, command = ""]) => command,
      ),
    );
    expect(mentionedCommands.size).toBeGreaterThan(20);
    const available = commands.flatMap(({ name, examples }) => [
      name,
      ...examples.map((example) => example.split(" ").slice(0, 2).join(" ")),
    ]);
    expect(
      [...mentionedCommands].filter(
        (command) => !["help", "help events", ...available].includes(command),
      ),
    ).toEqual([]);
  });

  it("give an option the same type in all verbs, because options are read before the verb is known", () => {
    const kinds = commands.flatMap(({ name, verbs }) =>
      Object.values(verbs).flatMap(({ options = {} }) =>
        Object.entries(options).map(([option, { type }]) => ({
          option: `${name} --${option}`,
          takesValue: type !== "flag",
        })),
      ),
    );
    const byOption = Map.groupBy(kinds, ({ option }) => option);
    const mixed = [...byOption].filter(
      ([, uses]) => new Set(uses.map(({ takesValue }) => takesValue)).size > 1,
    );
    expect(mixed).toEqual([]);
  });

  it("have summaries that begin with an imperative verb", () => {
    const summaries = commands.flatMap(({ summary, verbs }) => [
      summary,
      ...Object.values(verbs).flatMap((each) => each.summary ?? []),
    ]);
    expect(summaries.filter((summary) => !/^[A-Z][a-z]*(?<!s)(?=[ ,]).*\.$/.test(summary))).toEqual(
      [],
    );
  });

  it.each(commands.map((command) => [command.name, command] as const))(
    "accept every example of %s",
    (name, command) => {
      expect(command.examples.length).toBeGreaterThan(0);
      for (const example of command.examples) {
        const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(
          ([, quoted, word]) => quoted ?? word ?? "",
        );
        expect(words[0]).toBe(name);
        const rest = words.slice(1).filter((word) => word !== "--json");
        expect(() => parseCommand(command, rest), example).not.toThrow();
      }
    },
  );

  it.each(declared.map((each) => [each.typed, each] as const))(
    "explain mistakes in %s, with exit code 2",
    async (name, { command, declaration, words }) => {
      const { arguments: args = {}, options = {} } = declaration;
      const hasMany = Object.values(args).some(({ repeated }) => repeated);
      const required = Object.entries(args).find(([, { required }]) => required)?.[0];
      const surplus = [...words, ...Object.keys(args).map(() => "x"), "x"];
      const mistakes: [string[], string][] = [
        [[...words, "--frobnicate"], `"${name}" has no option "--frobnicate".`],
        [["-x", ...words], `"${name}" has no option "-x".`],
        ...(required === undefined
          ? []
          : [
              [words.filter((word) => word !== "x"), `"${name}" needs <${required}>: `] as [
                string[],
                string,
              ],
            ]),
        ...(hasMany ? [] : [[surplus, name] as [string[], string]]),
        ...Object.entries(options).flatMap(([option, { type }]): [string[], string][] => [
          type === "flag"
            ? [[...words, `--${option}=1`], `"--${option}" of "${name}" takes no value.`]
            : [
                [...words, `--${option}`],
                `"--${option}" of "${name}" needs a value: --${option} <`,
              ],
          [[...words, `--${option}s`], `Did you mean "--`],
        ]),
      ];
      for (const [mistake, message] of mistakes) {
        const { code, output } = await run(commands, [command.name, ...mistake]);
        const [sentence, hint, ...more] = output.split("\n");
        expect(sentence, mistake.join(" ")).toContain(message);
        expect(sentence).toMatch(/[.?]$/);
        expect([hint, ...more]).toEqual([`Run "./newsroom help ${command.name}" for examples.`]);
        expect(code, mistake.join(" ")).toBe(2);
      }
    },
  );
});

it.each([
  [
    ["blog", "import", "a.csv", "b.csv"],
    '"blog import" takes one <file> at a time. Remove "b.csv".',
  ],
  [
    ["feeds", "check", "brew.example/feed"],
    '"brew.example/feed" is neither the id of a source nor a URL. Example: https://',
  ],
  [["mail", "retry"], "needs either ids"],
  [["mail", "retry", "x", "--unclear"], "needs either ids"],
  [["newsletter", "send", "--yes", "--test=a@example.com"], "takes --yes or --test, not both"],
  [
    ["restore", "--replace"],
    'No backup was named. Run "./newsroom restore list" to list the backups.',
  ],
  [["restore", "x.tar.gz", "--site", "y", "--dry-run"], "--site unpacks files only."],
  [["report", "searches", "--days", "0"], '"--days" must be a whole number from 1 to 90'],
  [["subscribers", "delete", "x"], '"x" is not an email address.'],
])("the program refuses %j and says why", async (argv, message) => {
  const { code, output } = await run(commands, argv, shippedHost);
  expect(output).toContain(message);
  expect(code).toBe(2);
});

it.each([
  [
    ["feeds", "add", "https://a.example/feed", "--section", "lokal"],
    /^✗ sections\.yaml has no section "lokal"\. Did you mean "local"\? Its sections: news, local, /,
  ],
  [
    ["blog", "import", "/no/such.csv"],
    /^✗ Could not read \/no\/such\.csv: there is no such file or folder\.$/,
  ],
  [
    ["blog", "import", "/dev/null/x"],
    /^✗ Could not read .*x: a part of its path is a file, not a folder\.$/,
  ],
  [["events", "import", "/"], /^✗ Could not read \/: it is a folder\.$/],
  [["events", "import", "/dev/zero"], /^✗ \/dev\/zero is not a file\.$/],
  [
    ["restore", "monday.tar.gz"],
    /^✗ There is no backup "monday\.tar\.gz"\. Run "\.\/newsroom restore list" to list the backups\.$/,
  ],
  [["restore", "/"], /^✗ Could not restore \/\. \/ is a folder\.$/],
  [["restore", "package.json"], /The file is damaged, or it is not a Harborline backup\.$/],
])("the program says what is wrong with the file or section in %j", async (argv, message) => {
  const { code, output } = await run(commands, argv, shippedHost);
  expect(output).toMatch(message);
  expect(code).toBe(1);
});

it("the program checks the feed of a source by its id", async () => {
  const { output } = await run(commands, ["feeds", "check", "wypr"], {
    ...shippedHost,
    fetch: async () => ({ kind: "failed", cause: "offline", detail: "no network" }),
  });
  expect(output).toMatch(/^✗ https:\/\/www\.wypr\.org\//);
});

it("the program lists the candidates if an id is ambiguous", async () => {
  const found = Array.from({ length: 12 }, (_, index) => ({
    id: `4e${index}aaaaaaaaa`,
    title: `Cat ${index}`,
  }));
  const error = await pickAll(["4e"], {
    noun: "story",
    listCommand: "stories list --all",
    label: ({ title }: { id: string; title: string }) => title,
    shorten: (id) => id.slice(0, 8),
    find: async () => found,
  }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CommandError);
  const { message, exit } = error as CommandError;
  expect(exit).toBe(2);
  const lines = message.split("\n");
  expect(lines[0]).toBe('"4e" matches 12 ids. Type more characters of the one you mean:');
  expect(lines[1]).toBe("  4e0aaaaa  Cat 0");
  expect(lines).toHaveLength(12);
  expect(lines.at(-1)).toBe('  … and 2 more. Run "./newsroom stories list --all" to see them all.');
});

describe("a table", () => {
  const rows = [["a-name-to-type-exactly", "x".repeat(40), "short"]];

  it("is as wide as necessary in a file", () => {
    expect(formatTable(["name", "text", "state"], rows).at(-1)).toContain("x".repeat(40));
  });

  it("fits into a narrow terminal, and never shortens the first column, which people have to type", () => {
    const lines = formatTable(["name", "text", "state"], rows, 50);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
    expect(lines.at(-1)).toMatch(/^a-name-to-type-exactly {2}x+… {2}short$/);
  });
});
