/**
 * Words and constructions that we no longer use, each with what to write instead and an example
 * that it finds. The terms are those of docs/glossary.md. A rule belongs here only if it is nearly
 * always right.
 */
export type Rule = { pattern: RegExp; instead: string; example: string };

/** In every text, stories and posts included. */
export const inAnyText: Rule[] = [
  { pattern: /\banew\b/i, instead: "again", example: "The page is rendered anew." },
  { pattern: /\bakin\b/i, instead: "similar", example: "posts that are akin" },
  { pattern: /\be-mail/i, instead: "email", example: "Your e-mail address" },
  { pattern: /\bprogrammes?\b/i, instead: "program; playlist", example: "the radio programme" },
  {
    pattern: /\b(?:colour|behaviour|favour|normalis|organis|recognis|optimis|summaris|licence)/i,
    instead: "the American spelling",
    example: "The colour is normalised.",
  },
];

/** In code, comments, docs, messages and the comments of site files. */
export const inTechnicalText: Rule[] = [
  { pattern: /\bwhom?ever\b/i, instead: "anyone who", example: "Whoever asks waits." },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: "fix", example: "It mends wrong links." },
  { pattern: /\blets? go\b/i, instead: "disconnect; delete", example: "It lets go of the file." },
  { pattern: /\bbe had\b/i, instead: "is available", example: "The image could not be had." },
  {
    pattern: /\bg[ai]v(?:e|es|en|ing) out\b/i,
    instead: "send; serve",
    example: "It is given out for a day.",
  },
  {
    pattern:
      /\b(?:one|two|three) (?!times\b)\w+ an? (?:second|minute|hour|day|week|page|line|node|file|source|visitor|host|feature|request|city|reader)\b/i,
    instead: "per",
    example: "One address a page.",
  },
  {
    pattern:
      /\b(?:for|in|only|after|within|at most|about) so (?:long|many|much)\b(?! (?:as|that)\b)/i,
    instead: "the number or the time by its name",
    example: "A page is cached for so long.",
  },
  {
    pattern: /(?:^|[.:] |\/\*\* |\* |\/\/ |(?<!#)# )So (?:long|many|much)\b/,
    instead: "the number or the time by its name",
    example: "// So many may wait.",
  },
  {
    pattern: /(?:^|\. |\/\*\* |\* |\/\/ |(?<!#)# )Who (?!.*\?)/,
    instead: "a subject that is a noun",
    example: "// Who cannot see it learns nothing.",
  },
  { pattern: /\bpictures?\b/i, instead: "image", example: "a picture of the post" },
  { pattern: /\btwins?\b/i, instead: "duplicate", example: "an event without twins" },
  {
    pattern: /\b(?:is|are|was|were|be) told\b/i,
    instead: "who says what",
    example: "The reader is told.",
  },
  {
    pattern: /\bstands? (?:in|on|at|there|here|beside|behind|under|before|nowhere)\b/i,
    instead: "is",
    example: "The count stands under a key.",
  },
  {
    pattern:
      /(?<!\bthere )\bis no (?!longer\b|more\b|less\b|different\b|better\b|way\b|need\b|one\b|other\b)\w/i,
    instead: "is not a",
    example: "It is no backup.",
  },
  {
    pattern: /\boutside (?:link|page|address|image|form|server|site|document|service|world)/i,
    instead: "external",
    example: "an outside link",
  },
  { pattern: /\bdigests?\b(?!\()/i, instead: "newsletter; issue", example: "the weekly digest" },
  { pattern: /\bsightings?\b/i, instead: "feed item", example: "a sighting of a headline" },
  { pattern: /\bhouse cards?\b/i, instead: "house ad", example: "a house card" },
];

/** Names that code declares. */
export const inNames: Rule[] = [
  { pattern: /^(?:most|fewest|longest)[A-Z]/, instead: "max…, min…", example: "mostShown" },
  { pattern: /^usual[A-Z]/, instead: "default…", example: "usualReach" },
  { pattern: /(?:AtOnce|AtATime)$/, instead: "…BatchSize, max…", example: "itemsAtOnce" },
  { pattern: /WithinMs$/, instead: "…TimeoutMs", example: "answerWithinMs" },
  { pattern: /^kept|Kept/, instead: "cached…, stored…", example: "keptAnswers" },
  { pattern: /goodMs|goodUntil/i, instead: "maxStaleMs", example: "goodMs" },
  { pattern: /^forget[A-Z]/, instead: "delete…", example: "forgetOldMails" },
  {
    pattern: /^(?:twin|akin|anew|mend|told)|Twin|Akin|Anew|Mend|Told/,
    instead: "a word of the glossary",
    example: "withoutTwins",
  },
  { pattern: /picture/i, instead: "…image…", example: "PostPicture" },
  { pattern: /outside/i, instead: "external…", example: "outsideLink" },
  {
    pattern: /digest|sighting|postOffice|shelves/i,
    instead: "a word of the glossary",
    example: "digestIssues",
  },
];

/** Names that people, programs or stored data depend on, or that a standard defines. */
const allowed = new RegExp(
  [
    /\.digest\(|["'`/]digest\b|\bdigest:|\.digest\b/,
    // The element of HTML, also in selectors of CSS.
    /<\/?picture>|> picture\b|^ *picture \{/,
    /["'/|]pictures?\b|-pictures|picture\$\{|\bpictures?\??:|\.pictures?\b|picture-in-picture|param picture/,
    // The label of a button.
    /\bforgetEverything\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

const declared = /\b(?:const|let|function\*?|type|class|interface) (\w+)/g;

/** Every place in a file that a rule finds, as "path:line: text → what to write instead". */
export function findInFile(path: string, source: string): string[] {
  const isContent = path.startsWith("sites/");
  return source.split("\n").flatMap((written, index) => {
    const line = written.replaceAll(allowed, "");
    const isComment = /^\s*#/.test(line) && !path.endsWith(".md");
    const rules = isContent && !isComment ? inAnyText : [...inAnyText, ...inTechnicalText];
    const names = /\.tsx?$/.test(path)
      ? [...line.matchAll(declared)].map(([, name]) => name ?? "")
      : [];
    const hits = [
      ...rules.map(({ pattern, instead }) => ({ found: pattern.exec(line)?.[0], instead })),
      ...names.flatMap((name) =>
        inNames
          .filter(({ pattern }) => pattern.test(name))
          .map(({ instead }) => ({ found: name, instead })),
      ),
    ];
    return hits
      .filter(({ found }) => found !== undefined)
      .map(({ found, instead }) => `${path}:${index + 1}: "${found?.trim()}" → ${instead}`);
  });
}
