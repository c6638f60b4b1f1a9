import { describe, expect, it } from "vitest";
import { toTypographic } from "./typography.ts";

const expectTexts = (cases: [string, string][]) =>
  it.each(cases)("%s → %s", (typed, shown) => {
    expect(toTypographic(typed)).toBe(shown);
    expect(toTypographic(shown), "a text that is already typographic stays").toBe(shown);
  });

describe("apostrophes", () => {
  expectTexts([
    ["Don't, can't, it's, we'd've", "Don’t, can’t, it’s, we’d’ve"],
    ["O'Neill's and D'Angelo's", "O’Neill’s and D’Angelo’s"],
    ["the kids' park, James' bike", "the kids’ park, James’ bike"],
    ["y'all", "y’all"],
    ["Fell's Point", "Fell’s Point"],
  ]);
});

describe("elisions", () => {
  expectTexts([
    ["the '90s", "the ’90s"],
    ["'90s night", "’90s night"],
    ["the 1990's, the 90's", "the 1990’s, the 90’s"],
    ["the class of '96", "the class of ’96"],
    ["the '66 Series, '70 and '83", "the ’66 Series, ’70 and ’83"],
    ["rock 'n' roll", "rock ’n’ roll"],
    ["Chick 'n Friends", "Chick ’n Friends"],
    ["rock'n'roll", "rock’n’roll"],
    ["'Tis the season, 'twas said", "’Tis the season, ’twas said"],
    ["Get 'em 'til noon", "Get ’em ’til noon"],
    ["back in the 'hood", "back in the ’hood"],
    ["'Rock 'n' roll' is here", "‘Rock ’n’ roll’ is here"],
  ]);
});

describe("primes", () => {
  expectTexts([
    [`He is 5'10" tall`, "He is 5′10″ tall"],
    [`He is 5' 10" tall`, "He is 5′ 10″ tall"],
    [`a 12" pipe`, "a 12″ pipe"],
    [`"a 12" pipe," she said`, "“a 12″ pipe,” she said"],
    [`"He is 5'10"," she said`, "“He is 5′10″,” she said"],
    ["a 40' x 60' lot", "a 40′ x 60′ lot"],
    [`the 8" and 10" mains`, "the 8″ and 10″ mains"],
  ]);
});

describe("quotes", () => {
  expectTexts([
    [`"Hello," she said.`, "“Hello,” she said."],
    [`He read "Catch 22" and "Area 51".`, "He read “Catch 22” and “Area 51”."],
    [`"'Yes,' she said," he said.`, "“‘Yes,’ she said,” he said."],
    [`She said, "He told me 'no.'"`, "She said, “He told me ‘no.’”"],
    [`'He said "no" to it'`, "‘He said “no” to it’"],
    [`the so-called "plan" ("B")`, "the so-called “plan” (“B”)"],
    [`"One"/"two"--"three"`, "“One”/“two”—“three”"],
    [`"It's the 'real' thing," says O'Neill`, "“It’s the ‘real’ thing,” says O’Neill"],
    [`"What?" "Yes!"`, "“What?” “Yes!”"],
    [`An "old`, "An “old"],
    ["'Catch 22' is a book", "‘Catch 22’ is a book"],
    [`"…and then"`, "“…and then”"],
  ]);
});

describe("dashes", () => {
  expectTexts([
    ["The harbor -- all of it -- froze", "The harbor — all of it — froze"],
    ["The harbor--all of it--froze", "The harbor—all of it—froze"],
    ["The harbor - all of it - froze", "The harbor — all of it — froze"],
    ["9 am - 5 pm, 10:00 - 12:30", "9 am – 5 pm, 10:00 – 12:30"],
    ["Monday - Friday, Nov. 3 - 5", "Monday – Friday, Nov. 3 – 5"],
    ["1990--1995", "1990–1995"],
    ["Monday-Friday 9am-5pm", "Monday-Friday 9am-5pm"],
    ["a well-known 8-year-old", "a well-known 8-year-old"],
    ["- an entry of a list", "- an entry of a list"],
    ["./newsroom stories approve --all", "./newsroom stories approve --all"],
    ["-----", "-----"],
  ]);
});

describe("what is not text", () => {
  expectTexts([
    [
      "see https://example.com/it's--here?q=o'x now",
      "see https://example.com/it's--here?q=o'x now",
    ],
    [`"https://example.com/o'neill"`, "“https://example.com/o'neill”"],
    ["write to o'neill@example.com.", "write to o'neill@example.com."],
    [`type \`say "it's" --all\`, it's short`, `type \`say "it's" --all\`, it’s short`],
  ]);
});
