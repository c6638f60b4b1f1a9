const toSet = (words: string) => new Set(words.split(" "));

/** Short names that stay in capitals. Those without a vowel, such as BPD, need not be listed. */
const acronyms = toSet(
  "AG AI AP ATF BWI CBS CEO CFO CIA COVID CPA DA DEA DEI DNA DOE DOJ DOT DUI DWI EMS EPA ER ESPN EU EV EVS FAA FBI FCC FDA FEMA FIFA GOP HBCU HBO HIV HOA HUD ICU II III IMF IQ IRA IRS ISIS IV IVF LA LGBTQ MIT MTA MVA NAACP NAFTA NASA NASCAR NATO NBA NCAA NIH NOAA NRA NSA OD OPEC PA PAC PGA PTA RBI ROTC SAT SATS SCOTUS SEC SUV SUVS SWAT TSA UCLA UFC UFO UK UMD UN UNESCO UNICEF UPS US USA USDA USPS VA VIP WNBA WWI WWII YMCA YWCA",
);
/** Words without a vowel that are no acronyms. */
const otherShorts = toSet("VS PM LB LBS FT MPH HRS SQ TH ND RD HM SHH");
const capitalized = toSet(
  "MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY JANUARY FEBRUARY APRIL JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER CHRISTMAS THANKSGIVING EASTER HALLOWEEN HANUKKAH RAMADAN AMERICA AMERICAN AMERICANS CONGRESS MR MRS MS DR ST JR SR MT GOV SEN REP",
);

/** The name of a street: up to three words after a preposition, such as "on GREENMOUNT AVENUE". */
const streetName =
  /(?<=\b(?:along|and|at|in|near|of|off|on|the) )(?:(?!(?:a|an|and|at|city|his|her|in|its|near|of|off|on|same|that|the|their|this|to|with)\b)[\p{L}'’.]+ ){1,3}(?:avenue|boulevard|drive|highway|lane|parkway|road|street)\b/gu;

/** A word, with the marks inside it: Mayor's, AT&T, U.S. */
const word = /[\p{L}\p{N}](?:[\p{L}\p{N}&]|['’.](?=\p{L}))*/gu;
const minLettersOfWord = 4;

function toWordCase(written: string): string {
  const [, base = "", ending = ""] = /^(.*?)(['’](?:S|T|RE|VE|LL|D|M))?$/.exec(written) ?? [];
  return toBaseCase(base) + ending.toLowerCase();
}

function toBaseCase(base: string): string {
  const lower = base.toLowerCase();
  if (capitalized.has(base)) return base.charAt(0) + lower.slice(1);
  if (otherShorts.has(base) || /^[ap]\.m$/.test(lower)) return lower;
  const isAcronym =
    acronyms.has(base) ||
    /^(?!A$)\p{L}$|&|^(?:\p{L}\.)+\p{L}$|^\p{L}+\p{N}|^\p{N}+\p{L}$/u.test(base) ||
    /^[^\P{L}AEIOUY]{2,5}$/u.test(base);
  return isAcronym ? base : lower;
}

/** Whether the title is in capitals: at least two words, one of which is not just a short name. */
function isAllCaps(title: string): boolean {
  if (/[\p{Ll}\p{Lo}]/u.test(title)) return false;
  const words = title.match(word) ?? [];
  return (
    words.length > 1 &&
    words.some((each) => each.length >= minLettersOfWord && toWordCase(each) !== each)
  );
}

const toKey = (name: string) => name.toLowerCase().replaceAll("’", "'");
const escapePattern = (name: string) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/**
 * Returns a function that converts a title in capitals to sentence case: "MAN SHOT NEAR I-95"
 * becomes "Man shot near I-95". Acronyms and the given names keep their usual form. A title in any
 * other case stays as it is.
 */
export function createSentenceCase(names: string[]): (title: string) => string {
  const namesByKey = new Map(names.map((name) => [toKey(name), name]));
  const alternatives = [...namesByKey.keys()]
    .sort((one, other) => other.length - one.length)
    .map((name) => escapePattern(name).replaceAll("'", "['’]"));
  const namePattern =
    alternatives.length === 0
      ? null
      : new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  return (title) => {
    if (!isAllCaps(title)) return title;
    const lower = title
      .replaceAll(word, toWordCase)
      .replaceAll(streetName, (name) =>
        name.replaceAll(/(?<=^| )\p{Ll}/gu, (letter) => letter.toUpperCase()),
      );
    const named = namePattern
      ? lower.replaceAll(namePattern, (found) => namesByKey.get(toKey(found)) ?? found)
      : lower;
    // A sentence begins at the start and after a colon, a period, a question or an exclamation
    // mark.
    return named.replaceAll(
      /(?:^|(?<!\.\p{L})[:.!?]["'”’)]*\s+)[^\p{L}\p{N}\s]*\p{Ll}/gu,
      (start) => start.toUpperCase(),
    );
  };
}
