/**
 * Words and constructions that we no longer use, each with what to write instead and an example that it finds. The
 * terms are those of docs/glossary.md. A rule belongs here only if it is nearly always right.
 */
export type Rule = { pattern: RegExp; instead: string; example: string };

/** In code, comments, docs, commands and site files. */
export const everywhere: Rule[] = [
  { pattern: /\banew\b/i, instead: "again; re-created", example: "The page is rendered anew." },
  {
    pattern: /\bwho(?:m)?ever\b/i,
    instead: "anyone who; name the actor",
    example: "Whoever asks waits.",
  },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: "fix, repair", example: "It mends wrong links." },
  { pattern: /\bakin\b/i, instead: "similar", example: "posts that are akin" },
  {
    pattern: /\blets? go\b/i,
    instead: "disconnect, release, delete",
    example: "The server lets go of it.",
  },
  { pattern: /\bbe had\b/i, instead: "is available", example: "The image could not be had." },
  {
    pattern: /\bg(?:i|a)v(?:e|es|en|ing) out\b/i,
    instead: "send, serve",
    example: "It is given out for a day.",
  },
  { pattern: /\be-mail/i, instead: "email", example: "Your e-mail address" },
  {
    pattern: /\bprogrammes?\b/i,
    instead: "program; for the radio, playlist",
    example: "the radio programme",
  },
  {
    pattern:
      /\b(?:colour|behaviour|favour|normalis|organis|recognis|optimis|summaris|licence|centre\b)/i,
    instead: "American spelling",
    example: "The colour is normalised.",
  },
  {
    pattern:
      /\b(?:one|two|three) (?!times\b)\w+ an? (?:second|minute|hour|day|week|month|page|line|node|file|source|visitor|host|feature|request|city|reader)\b/i,
    instead: "per",
    example: "One address a page.",
  },
  {
    pattern:
      /\b(?:for|in|only|after|within|at most|about) so (?:long|many|much)\b(?! (?:as|that)\b)/i,
    instead: "name the number or the time",
    example: "A page is kept for so long.",
  },
];

/** In code, comments, docs and commands. A story may use them. */
export const inTechnicalText: Rule[] = [
  {
    pattern: /(?:^|[.:] |\/\*\* |\/\/ |# )So (?:long|many|much)\b/,
    instead: "name it",
    example: "// So many may wait.",
  },
  {
    pattern: /(?:^|\. |\/\*\* |\* |\/\/ |# )Who (?!.*\?)/,
    instead: "a sentence with a subject",
    example: "// Who cannot see it is told nothing.",
  },
  { pattern: /\bpictures?\b/i, instead: "image", example: "a picture of the post" },
  { pattern: /\btwins?\b/i, instead: "duplicate", example: "an event without twins" },
  {
    pattern: /\b(?:is|are|was|were|be) told\b/i,
    instead: "say who says what to whom",
    example: "Nobody is told.",
  },
  {
    pattern: /\bstands? (?:in|on|at|there|here|beside|behind|under|before|nowhere|for good)\b/i,
    instead: "is",
    example: "The count stands under a key.",
  },
  {
    pattern:
      /\bis no (?!longer\b|more\b|less\b|different\b|better\b|way\b|need\b|one\b|other\b)\w/i,
    instead: "is not a",
    example: "It is no backup.",
  },
  {
    pattern: /\boutside (?:link|page|address|image|form|server|site|document|service|world)/i,
    instead: "external",
    example: "an outside link",
  },
  { pattern: /\bdigests?\b(?!\()/i, instead: "newsletter, issue", example: "the weekly digest" },
  { pattern: /\bsightings?\b/i, instead: "feed item", example: "a sighting of a headline" },
  { pattern: /\bhouse cards?\b/i, instead: "house ad", example: "a house card" },
];

/** Names that are declared in code. */
export const inNames: Rule[] = [
  { pattern: /^(?:most|fewest|longest)[A-Z]/, instead: "max…, min…", example: "mostShown" },
  { pattern: /^usual[A-Z]/, instead: "default…", example: "usualReach" },
  { pattern: /(?:AtOnce|AtATime)$/, instead: "…BatchSize, maxConcurrent…", example: "itemsAtOnce" },
  { pattern: /WithinMs$/, instead: "…TimeoutMs", example: "answerWithinMs" },
  { pattern: /^kept|Kept/i, instead: "cached…, stored…", example: "keptAnswers" },
  { pattern: /goodMs|goodUntil/i, instead: "maxStaleMs", example: "goodMs" },
  { pattern: /^forget[A-Z]/, instead: "delete…", example: "forgetOldMails" },
  {
    pattern: /twin|akin|anew|mend|told/i,
    instead: "see docs/glossary.md",
    example: "withoutTwins",
  },
  { pattern: /picture/i, instead: "…image…", example: "PostPicture" },
  { pattern: /outside/i, instead: "external…", example: "outsideLink" },
  {
    pattern: /desk|digest|sighting|postOffice|shelves/i,
    instead: "see docs/glossary.md",
    example: "digestIssues",
  },
];
