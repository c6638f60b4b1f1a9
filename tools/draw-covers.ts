// Draws a cover for every book in a list: `node_modules/.bin/node tools/draw-covers.ts
// sites/baltimore/books.yaml sites/baltimore/covers`.
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { openTypeface } from "./outlines.ts";

type Kind = "poem" | "tale" | "novel" | "essay" | "collection";
type Book = { id: string; title: string; kind: Kind; motif: string; palette: string };
/**
 * `ground` is the color of the background, `mid` and `glow` are the colors of the rings, `ink` is
 * the color of the silhouettes, and `spot` is the one bright accent.
 */
type Palette = { ink: string; ground: string; mid: string; glow: string; spot: string };
type Motif = (palette: Palette) => string;

const titleFace = await openTypeface("Newsreader", 600);
const authorFace = await openTypeface("Newsreader", 500);

const commonColors = {
  pale: "#fbeec8",
  gold: "#e9b13c",
  teal: "#2f6f7e",
  crab: "#c23b2a",
  brick: "#a4513b",
};
const palettes: Record<string, Palette> = {
  brick: { ink: "#2b100d", ground: "#7d3b2d", mid: "#b8623f", glow: "#f4d58a", spot: "#d9822b" },
  crab: { ink: "#2a0a14", ground: "#a82f24", mid: "#dc6a3c", glow: "#f6d488", spot: "#2f6f7e" },
  gold: { ink: "#12263f", ground: "#e9b13c", mid: "#f2cb70", glow: "#fbeec8", spot: "#c23b2a" },
  ice: { ink: "#12263f", ground: "#a3c4c1", mid: "#cbdcd1", glow: "#f7f1e3", spot: "#c23b2a" },
  moss: { ink: "#10211b", ground: "#2c4a3e", mid: "#6d9070", glow: "#e9dfa6", spot: "#c9642f" },
  navy: { ink: "#0b1a2c", ground: "#16304f", mid: "#386b88", glow: "#f4d58a", spot: "#e9b13c" },
  night: { ink: "#140d22", ground: "#241a3c", mid: "#7d4261", glow: "#f0a860", spot: "#e9b13c" },
  oxblood: { ink: "#1f0810", ground: "#581623", mid: "#a8443a", glow: "#f2b566", spot: "#c23b2a" },
  paper: { ink: "#12263f", ground: "#f3e4c3", mid: "#eec468", glow: "#c8442f", spot: "#e9b13c" },
  plum: { ink: "#1b0a18", ground: "#3d1530", mid: "#95536a", glow: "#f4d58a", spot: "#c23b2a" },
  rose: { ink: "#3a1023", ground: "#d98a7c", mid: "#ecb799", glow: "#fbeec8", spot: "#a32638" },
  slate: { ink: "#10161f", ground: "#39434f", mid: "#7d8a8c", glow: "#efe3c0", spot: "#c23b2a" },
  teal: { ink: "#0b2029", ground: "#1d5260", mid: "#4f8f95", glow: "#e5e3bd", spot: "#e9b13c" },
};

/**
 * The corners of the frame show the kind of work: scooped for a poem, cut for an essay, stepped for
 * a collection.
 */
const frames: Record<Kind, string> = {
  poem: "M40 14H268A20 20 0 0 0 288 34V416A20 20 0 0 0 268 436H40A20 20 0 0 0 20 416V34A20 20 0 0 0 40 14Z",
  tale: "M20 14H288V436H20Z",
  novel: "M20 14H288V436H20ZM26 20H282V430H26Z",
  essay: "M36 14H272L288 30V420L272 436H36L20 420V30Z",
  collection: "M30 14H278V24H288V426H278V436H30V426H20V24H30Z",
};

const man = "h32v28h12v8h-56v-8h12zm-38 92q4-26 38-30l16 18 16-18q34 4 38 30z";
const sail = "q18-8 36 0l4 28q-22-8-44 0z";
const sea = "M-184 68q23-22 46 0t46 0t46 0t46 0t46 0t46 0t46 0t46 0V106H-184Z";
const wave = "M-160 90q20-12 40 0t40 0t40 0t40 0t40 0t40 0t40 0t40 0";

/** Every motif is centered at 0 0 and about 210 by 210. See `createMotif` for the notation. */
const motifs: Record<string, Motif> = {
  airship:
    createMotif(`ink 3 M-60-8L-34 40M60-8L34 40M-20 4L-16 40M20 4L16 40M-92-26H-108M-108-48V-4;
    ink O0-26 96 42; spot O0-26 96 22; ink O0-26 96 5; ink M-44 38H44L36 58H-36ZM82-26L108-54V2Z; ink ${sea};
    glow 4 ${wave}`),
  ape: createMotif(`ink M0-100C80-100 100-40 96 30Q92 100 0 100Q-92 100-96 30C-100-40-80-100 0-100Z;
    spot M0-70C40-92 74-60 66-10C88 30 60 84 0 84C-60 84-88 30-66-10C-74-60-40-92 0-70Z; ink O0 44 50 34;
    pale mirror O26-22 17; ink mirror O23-20 8; ink mirror M8-34Q30-56 54-34L50-26Q30-42 10-26Z;
    spot 5 M-34 48Q0 68 34 48M-8 24L-4 28M8 24L4 28`),
  balloon: createMotif(`ink 3 M-34 14L-14 68M34 14L14 68M0 30V68;
    ink M-18 68H18L14 96H-14ZM0 46Q-78-4-78-46A78 64 0 0 1 78-46Q78-4 0 46Z;
    spot mirror M-1 46Q50-4 50-46Q50-94-1-110Z; pale mirror M-1 46Q18-4 18-46Q18-94-1-110Z`),
  beetle:
    createMotif(`ink 7 mirror M30-20L74-44 88-76M36 14L84 8 100 24M32 46L70 62 78 98M12-66Q16-96 44-100;
    ink O0-56 26 22; ink M-50-6Q-50-44 0-44Q50-44 50-6Q54 60 0 92Q-54 60-50-6Z;
    gold mirror M4-12Q40-12 42 4Q42 52 4 80ZM-1-36Q32-36 38-18H-1Z; ink mirror O20 16 9; ink O0 54 9 12`),
  bell: createMotif(`ink 14° O0 66 17;
    ink 14° M-10-86A14 14 0 1 1 10-86C56-76 48 0 84 44V60H-84V44C-48 0-56-76-10-86Z;
    gold 14° M-30-50Q-46 0-58 34H58Q50 20 45 0Q-8 12-30-50Z; ink 5 14° M-50 18H54;
    ink 5 M-84-50Q-104-14-96 30M92-62Q110-30 104 0`),
  bottle:
    createMotif(`ink 28° M-16-104H16V-50Q44-40 44-12V70Q44 84 30 84H-30Q-44 84-44 70V-12Q-44-40-16-50Z;
    teal 28° M-8-80H8V-44Q36-34 36-10V68Q36 76 28 76H-28Q-36 76-36 68V-10Q-36-34-8-44Z;
    pale 28° M-20-14H20V62H-20Z; ink 3 28° M-10 2H10M-10 16H10M-10 30H4; spot 28° M-12-114H12V-90H-12Z;
    ink ${sea}; mid 4 ${wave}`),
  card: createMotif(`ink 9° M-76-104H76V104H-76Z; pale 9° M-69-97H69V97H-69Z; glow 9° O0-45 15 20O0 45 15 20;
    ink 9° M-16-93${man}M-15-51H15V-42H5L0-46-5-42H-15Z;
    spot 189° M-16-93${man}M-15-51H15V-42H5L0-46-5-42H-15Z`),
  cask: createMotif(`ink M-96 104V-10A96 96 0 0 1 96-10V104Z; gold O0-14 68; ink O0-14 60; spot O0-14 54;
    ink 4 M-34-54V26M-12-66V38M12-66V38M34-54V26; ink O0 0 9; ink M-104 34H104V106H-104Z;
    mid M-100 38H-54V54H-100ZM-48 38H-4V54H-48ZM52 38H100V54H52ZM-100 60H-74V76H-100ZM-68 60H-20V76H-68
    ZM-14 60H34V76H-14ZM40 60H100V76H40ZM-100 82H-50V98H-100ZM-44 82H6V98H-44ZM12 82H58V98H12ZM64 82H100V98
    H64`),
  cat: createMotif(`ink 13 M40 92Q104 100 92 46Q84 22 68 36;
    ink M-50 100Q-64 26-32-2Q-58-24-50-100L-24-70Q0-78 24-70L50-100Q58-24 32-2Q64 26 50 100Z;
    gold M-36-42Q-22-58-8-40Q-24-30-36-42Z; ink O-22-43 3 7; spot 4 M12-50L32-34M30-52L16-32;
    pale 5 M-14 74V22H14V38M-22 74H-4; pale 2 mirror M30-16L66-22M30-10L64-4`),
  chair:
    createMotif(`ink mirror M62 84H48L52 104H60ZM-1 60H58V-48Q58-100-1-100ZM-1 88H80V10H50V40H-1Z;
    spot M-44 40V-46Q-44-86 0-86Q44-86 44-46V40Z; ink mirror O18-54 4; ink mirror O18-22 4; ink O0-38 4;
    ink mirror O66 10 22; gold mirror O66 10 9; mid M-50 34Q0 16 50 34V54H-50Z`),
  chess: createMotif(`ink M-6-108H6V-98H16V-88H6V-76H-6V-88H-16V-98H-6Z; ink O0-12 40 8;
    ink mirror M-1-76Q56-84 44-44L26-14 22 0Q24 40 42 66V78H54V98H-1Z;
    spot 7 M0 12V60M-24 36H24M-17 19L17 53M17 19L-17 53; spot O0 36 17; ink O0 36 8;
    pale 4 M-40 80H40M-24-54Q0-62 24-54`),
  city: createMotif(`ink M-104 90V-10H-88V-34L-78-62-68-34V4H-52V-56H-44V-70H-32V-56H-24V-20H-10V-78L4-110 18-78V-6
    H32V90ZM30 90V-44Q45-70 60-44V10H74V-24H104V90Z;
    gold M0-60H8V-42H0ZM-42-40H-34V-24H-42ZM41-26H49V-8H41ZM-82-14H-74V2H-82ZM0-22H8V-4H0ZM85-8H92V6H85Z;
    spot ${sea}; ink 4 ${wave}`),
  clock: createMotif(`spot mirror M30-60Q74-72 66-110Q104-60 58-34Z; spot 7 M40 70Q60 108 94 84;
    spot M86 96L108 66 80 72Z; ink O0 0 84; pale O0 0 68; ink 5 ×13 M0-58V-48; ink 7 M0-40V0L-22 28;
    spot O0 0 8`),
  coffin:
    createMotif(`ink 10° M-38-106H38L70-50 42 106H-42L-70-50Z; brick -7° M-58-104H12L44-50 18 104H-60L-90-50Z;
    ink 5 -7° M-52-94H8L34-48 10 94H-52L-80-48Z; ink 7 -7° M-22-70V8M-46-44H2;
    pale 11 M24-32L46-36M27-15L50-17M28 2L50 2M27 19L46 21`),
  crowd:
    createMotif(`mid O-36-58 15 20O36-58 15 20; ground M-52-106${man}M20-106${man}; pale O0-14 15 20;
    spot M-16-62${man}; mid O-64-2 15 20O64-2 15 20; ink M-80-50${man}M48-50${man};
    mid O-38 60 15 20O38 60 15 20; ink M-54 12${man}M22 12${man}`),
  crown:
    createMotif(`ink M-100 62Q0 122 98 50Q20 84-86 50Z; spot O-98 54 9; ink O0-90 11; ink mirror O86-52 10;
    ink mirror M-1 46H72L86-48 40-12-1-88Z; spot mirror M-1 14H60L64-18 36 6-1-54Z;
    pale O0 30 9O-36 30 7O36 30 7`),
  cypress:
    createMotif(`ink mirror M84-104Q130 20 106 76H62Q40 20 84-104ZM44-34Q70 40 58 80H30Q18 40 44-34Z;
    ink M-184 90Q0 56 184 90V106H-184ZM-24 80V30L0 10 24 30V80Z; pale M-10 80V50A10 10 0 0 1 10 50V80Z;
    spot M0-108L8-82 34-74 8-66 0-40-8-66-34-74-8-82Z`),
  door: createMotif(`ink M-76 100V-44Q-76-108 0-108Q76-108 76-44V100Z; brick M-60 92V-42Q-60-92 0-92Q60-92 60-42V92Z;
    ink 5 M-42-4V-40Q-42-74 0-74Q42-74 42-40V-4ZM-42 14H42V74H-42Z; gold O48 5 8M-60 84H60V92H-60Z;
    ink M-96 92H96V106H-96Z`),
  eye: createMotif(`ink 6 mirror M0-62V-96M30-56L44-88M58-40L82-66; ink M-106 0Q0-110 106 0Q0 110-106 0Z;
    pale M-90 0Q0-84 90 0Q0 84-90 0Z; spot O0 0 40; ink O0 0 27; pale O11-11 7;
    spot M0 62Q20 92 0 102Q-20 92 0 62Z`),
  heart: createMotif(`ink mirror M-1 96C140 0 104-92 48-92C20-92 0-72-1-56Z;
    spot mirror M-1 80C118-4 88-78 46-78C18-78 0-54-1-36Z; ink O0 0 38; pale O0 0 30; ink 5 M0-18V0L13 9`),
  helmet: createMotif(`spot M-4-66Q-20-112 44-108Q104-100 100-30Q84-66 52-62Z;
    ink M-64 70V-10Q-64-76 0-80Q64-76 64-10V70L0 104Z; gold mirror M4-10V-70Q54-66 54-6Z; pale 4 mirror M14 8H40;
    gold 4 mirror M0 20V80M24 40V60M12 36V66`),
  horse:
    createMotif(`spot M-6-92Q16-128 30-92Q70-116 62-66Q104-76 84-26Q120-14 92 24Q120 52 98 104H20L0-40Z;
    ink M-88 26L-46-56Q-40-84-18-92L-12-112 4-90Q62-60 60 10Q60 64 78 104H-26Q-22 60 6 24Q-20 26-36 30L-58 54
    Q-86 50-88 26Z; gold O-24-50 7; mid 4 M-76 34L-60 37`),
  hourglass: createMotif(`ink mirror M-1-106H66V-88H54Q58-34 8 0Q58 34 54 88H66V106H-1Z;
    pale mirror M-1-82H46Q46-34-1-4ZM-1 4Q46 34 46 82H-1Z; spot mirror M-1-44H36Q26-22 2-6V34Q40 46 45 82H-1Z;
    ink mirror M-1 46H14V51L3 63 14 75V80H-1Z; pale M-8 51H8L0 60ZM-8 75H8L0 66Z`),
  house:
    createMotif(`ink M-96 30V-30L-70-70-44-34V-62H-34V-48L-22-62V-84L0-110 22-84V-50H40V-66H50V-40L66-58 96-26
    V30Z; gold M-76-20H-64V0H-76ZM62-20H74V0H62ZM-36-28H-24V-6H-36ZM28-28H40V-6H28ZM-8-82H4V-64H-8Z;
    glow 5 M12-104L4-58 14-38-4-14 8 6-2 32;
    ink 6 M-184 42H184M-80 58H-14M10 58H60M-50 74H-8M4 74H84M-30 90H20`),
  jester: createMotif(`ink M-50 60Q-60-20 0-100Q60-20 50 60Z;
    spot mirror M50 60Q20-20 52-54Q92-84 98-4Q82-36 72-6Q66 16 50 60Z; gold mirror O97 2 11; gold O0-98 13;
    ink M-62 56H62V74L46 100 31 76 16 100 0 76-16 100-31 76-46 100-62 74Z; pale 5 M-54 66H54`),
  letter: createMotif(`ink -8° M-100-66H100V70H-100Z; pale -8° M-93-59H93V63H-93Z;
    ink 5 -8° M-90 60L-24-2M90 60L24-2M-92-58L0 24 92-58; ink -8° O0 16 29; crab -8° O0 16 24;
    pale -8° M-7 4V28H0Q12 28 12 16T0 4Z`),
  lyre: createMotif(`ink 4 M-22-60V58M-8-60V58M8-60V58M22-60V58;
    ink 15 mirror M0 74Q-74 66-62 6Q-52-26-42-60Q-38-92-66-92; ink M-52-68H52V-56H-52ZM-34 54H34L46 104H-46Z;
    spot M0-112L6-94 24-88 6-82 0-64-6-82-24-88-6-94Z`),
  mask: createMotif(`ink M0-108Q84-104 84-6L104 104H-104L-84-6Q-84-104 0-108Z;
    pale M0-70Q52-70 50-16Q48 44 0 76Q-48 44-50-16Q-52-70 0-70Z; ink mirror M8-18Q26-36 42-20Q30-2 8-18Z;
    crab mirror M22-8H30V30Q26 44 22 30Z; ink M0-2L9 22H-9ZM-18 42H18L0 52Z`),
  moth: createMotif(`ink mirror M-1-12Q54-62 106 10Q92 46 50 42Q72 72 40 98Q14 90-1 54Z; ink 5 mirror M4-16Q8-48 36-52;
    spot mirror O62 2 16; ink mirror O62 2 7; spot mirror O36 66 9; pale O0 26 11 44;
    ink 4 M-9 22H9M-9 36H9M-7 50H7; spot M0-110L6-90 26-84 6-78 0-58-6-78-26-84-6-90Z`),
  orbits:
    createMotif(`ink 3 O0 0 48; ink 3 O0 0 76; ink 3 O0 0 104; crab ×12 M0-38L7-22H-7Z; crab O0 0 24;
    ink O0 0 10; ink O34-34 11; teal O-74-16 16; pale O-78-20 5; crab O62 84 13; ink O-58-86 15`),
  palace: createMotif(`ink mirror M-1 102H106V-16H98L85-72 72-16H64V40H46V-62H26L-1-104Z;
    spot mirror M16 12V-26Q28-46 40-26V12ZM78 26V4Q85-8 92 4V26ZM-1 102V44Q24 48 24 70V102Z;
    gold M0-110L28-100 0-90ZM85-84L107-76 85-68ZM-85-84L-63-76-85-68Z`),
  parasol: createMotif(`ink 6 -24° M0-100V80;
    ink -24° M-98 20Q-90-86 0-86Q90-86 98 20Q74-4 50 20Q26-4 0 20Q-26-4-50 20Q-74-4-98 20Z;
    spot -24° M-50 20Q-44-60 0-86Q44-60 50 20Q26-4 0 20Q-26-4-50 20Z; ink -24° M0-86Q16-40 0 20Q-16-40 0-86Z;
    ink ${sea}; mid 4 ${wave}`),
  pendulum:
    createMotif(`ink 12° M-4-220H4V34H-4Z; ink 12° M-92 22Q-68 94 0 94Q68 94 92 22Q56 54 0 54Q-56 54-92 22Z;
    ink 12° M-18 16H18L28 70H-28Z; spot 12° O0 38 10; ink 3 M-104 54Q-96 74-80 88M88 78Q100 62 106 44`),
  portrait: createMotif(`ink O0 0 84 106; gold O0 0 77 99; ink O0 0 64 86; spot O0 0 58 80;
    pale M8-50Q-26-52-26-20L-34-4-27-1Q-30 14-23 18Q-16 21-6 17L-6 34Q-40 40-46 48Q-28 80 0 80T46 48
    Q40 38 18 34V0Z;
    ink M-28-24Q-28-64 8-64Q36-62 40-36Q60-34 54-14Q50-2 38-4Q36 22 48 40Q26 42 20 22Q8 6 8-20Q-8-32-28-24Z`),
  quill:
    createMotif(`ink M-14 52Q-10-60 84-108Q96-20 14 26L0 66Z; mid 4 M-4 50Q16-30 72-92M12 6L40 4M22-20L60-28;
    ink M-60 104V70Q-60 58-44 56V42H28V56Q44 58 44 70V104Z; spot M-44 72H28V92H-44Z`),
  raven: createMotif(`ink 6 M4 60V86M26 54V86; spot M-30 84H90V98H-30Z;
    ink M-88 98L-52 50Q-52-4-14-34Q-14-88 36-88Q58-86 66-70Q94-68 106-44Q80-52 62-44Q68 4 42 38Q20 64-14 66
    L-60 106Z; ground M-46 54Q-40-2 4-20Q30-2 18 26Q0 52-46 54Z;
    mid 3 M-28 42Q-8 40 8 24M-30 28Q-12 26 4 8M-18 10Q-8 8 2-6; gold O42-66 7; ink O43-66 3`),
  rose: createMotif(`ink 8 M0 0Q10 50-6 106; ink M2 62Q30 28 70 44Q48 78 2 62ZM-2 82Q-30 54-62 66Q-44 98-2 82Z;
    ink O0-42 64; pale O-20-56 36O20-60 34O28-28 30O-26-24 32O0-18 34O0-42 40;
    ink 6 M-48-30Q-40 6 0 8Q46 4 44-40Q36-84-6-82Q-38-70-30-38Q-20-12 8-18Q30-30 20-50Q4-62-6-44`),
  sepulchre: createMotif(`ink ${sea}; mid 4 ${wave};
    ink M16 106L30 28H184V106ZM40 34V-16H34V-26L68-52 102-26V-16H96V34Z; gold M58 34V4A10 10 0 0 1 78 4V34Z;
    ink M-50-60L-46-46-32-42-46-38-50-24-54-38-68-42-54-46ZM10-96L13-85 24-82 13-79 10-68 7-79-4-82 7-85Z`),
  ship: createMotif(`pale mirror M44 84L62 14 76 4 88-44 120-70 150 84Z;
    mid mirror M88-44L92 84H66L80 20ZM120-70L130 84H112Z; ink 4 M-34 60V-70M2 60V-100M38 60V-64M60 52L92 30;
    ink M-52-60${sail}M-56-26${sail}M-16-92${sail}M-18-58${sail}M-20-24${sail}M20-54${sail}M16-20${sail}
    M-66 36H68L54 72H-50Z; spot M2-106L26-99 2-92Z; ink ${sea}; mid 4 ${wave}`),
  skull: createMotif(`ink mirror M-1-106C66-106 96-66 92-14Q90 24 56 40V82Q56 104 34 104H-1Z;
    pale mirror M-1-94C58-94 82-58 80-14Q78 16 44 32V80Q44 92 32 92H-1Z; ink mirror O34-4 24 27;
    spot mirror O34-2 9; spot 4 mirror M0-50Q14-84 38-68Q48-52 32-48Q22-50 28-60; ink M0 22L12 46H-12Z;
    ink 5 M-18 66V90M0 66V90M18 66V90`),
  star: createMotif(
    `ink ×8 M0-106L15-30H-15; spot O0 0 38; ink ×8 M0-33L6-12H-6; pale O0 0 9; spot ×8 O36-88 5`,
  ),
  teeth:
    createMotif(`ink mirror M-1 84Q56 84 106 0Q52-76-1-50Z; crab mirror M-1 72Q50 72 96 0Q48-62-1-38Z;
    ink mirror M-1 46Q40 46 78 2Q40-26-1-20Z; pale M-62-2Q0-26 62-2L56 10Q0 26-56 10Z;
    ink 4 M-40-12V18M-20-16V20M0-18V22M20-16V20M40-12V18`),
  temple: createMotif(`ink mirror M-1-104L100-44V-10H92V66H100V80H108V102H-1Z;
    pale mirror M-1-86L64-48H-1ZM64-4H82V64H64ZM28-4H46V64H28ZM-1-4H9V64H-1Z; spot O0-62 9`),
  whirlpool:
    createMotif(`ink O0-16 106 70; glow O3-10 92 58; ink O5-2 78 48; mid O7 6 64 38; ink O9 14 48 28;
    glow O10 20 34 19; ink O11 25 20 11; spot M-86-48L-34-66-42-42-70-38ZM-62-62L-66-104-36-72Z`),
  worm: createMotif(`crab mirror M106-104V104H64Q104 20 40-104ZM-1-106H106V-76Q80-50 53-76Q27-50-1-76Z;
    gold 4 mirror M0-76Q27-50 53-76Q80-50 106-76; ink M-106 90H106V106H-106Z;
    ink 30 M-30 88Q50 84 30 54Q-44 40-26 8Q20 0 12-26; pale O4-28 5O20-28 5;
    pale M-6-38L-14-60 2-50 12-64 22-50 38-60 30-38Z`),
};

/**
 * Creates a motif from a drawing. A drawing is a list of shapes. Each shape has a color, then
 * optionally a stroke width, a rotation (14°), a number of copies around the center (×8) and a
 * mirror image (mirror), then path data. SVG paths have no circles, so O draws one from its center
 * and radii.
 */
function createMotif(drawing: string): Motif {
  const shapes = drawing.replace(/\n */g, "").split(/; ?/);
  const notation = /^(\w+)(?: (\d+))?(?: (-?\d+)°)?(?: ×(\d+))?( mirror)? ([MO].+)$/;
  const drawCircle = (_: string, x: string, y: string, rx: string, ry = rx) =>
    `M${x} ${y}m-${rx} 0a${rx} ${ry} 0 1 1 ${rx} ${ry}a${rx} ${ry} 0 0 1-${rx}-${ry}`;
  return (palette) => {
    const colors = new Map(Object.entries({ ...commonColors, ...palette }));
    const paths = shapes.flatMap((shape) => {
      const [, color = "", width, rotation = "0", copies = "1", mirror, data = ""] =
        notation.exec(shape) ?? [];
      const paint = colors.get(color);
      if (!paint) throw new Error(`Not a valid shape, or an unknown color: ${shape}`);
      const paintAttributes = width
        ? `fill="none" stroke="${paint}" stroke-width="${width}"`
        : `fill="${paint}"`;
      const d = data.replace(/O(-?\d+) ?(-?\d+) (\d+)(?: (\d+))?/g, drawCircle);
      const step = 360 / Number(copies);
      const angles = Array.from(
        { length: Number(copies) },
        (_, index) => Number(rotation) + index * step,
      );
      const rotations = angles.map((angle) => (angle ? `rotate(${angle.toFixed(1)})` : ""));
      const transforms = mirror
        ? rotations.flatMap((transform) => [transform, `${transform}scale(-1 1)`])
        : rotations;
      return transforms.map(
        (transform) =>
          `<path ${paintAttributes}${transform && ` transform="${transform}"`} d="${d}"/>`,
      );
    });
    return paths.join("");
  };
}

/** Returns every way to break the words into at most `maxLines` lines. */
function listLineBreaks(words: string[], maxLines: number): string[][] {
  const breaks = maxLines > 1 ? words.slice(1).map((_, index) => index + 1) : [];
  const multipleLines = breaks.flatMap((position) =>
    listLineBreaks(words.slice(position), maxLines - 1).map((rest) => [
      words.slice(0, position).join(" "),
      ...rest,
    ]),
  );
  return [[words.join(" ")], ...multipleLines];
}

/**
 * Finds the line breaks and the size for a title. Prefers large letters, few lines, and lines that
 * do not end with a word like "of" or "the".
 */
function layOutTitle(title: string): { lines: string[]; size: number } {
  const settings = listLineBreaks(title.split(" "), 5).map((lines) => {
    const size = Math.floor(
      Math.min(46, 238 / Math.max(...lines.map(titleFace.measure)), 132 / lines.length),
    );
    const badLineEnds = lines
      .slice(0, -1)
      .filter((text) => /(^| )(a|and|in|into|of|the|to)$/.test(text)).length;
    return { lines, size, score: size - 4 * lines.length - 8 * badLineEnds };
  });
  return settings.reduce((best, setting) => (setting.score > best.score ? setting : best));
}

/**
 * From the outside in, four rings in `mid` and two in `glow`. The first two rings are faint,
 * because the title may overlap them.
 */
const ringOpacities = [0.14, 0.16, 0.5, 1, 0.45, 1];
/** The styles of the fine line around the motif: dots, wider dots, dashes, or solid. */
const dashes = ["0 11", "0 22", "18 12", "none"];

function drawCover({ id, title, kind, motif, palette }: Book): string {
  const colors = palettes[palette];
  const drawMotif = motifs[motif];
  if (!colors || !drawMotif)
    throw new Error(`${id}: the motif "${motif}" or the palette "${palette}" does not exist.`);
  // Pseudo-random values that depend only on the book, so that every run draws the same cover.
  const [side = 0, driftX = 0, driftY = 0, spread = 0, dash = 0] = createHash("sha256")
    .update(id)
    .digest();
  const { lines, size } = layOutTitle(title);
  const height = lines.length * size * 1.06;
  // The pendulum hangs from the upper edge and would cut through a title there.
  const isTitleAbove = side < 110 && motif !== "pendulum";
  const top = isTitleAbove ? 32 : 390 - height;
  const [from, to] = isTitleAbove ? [top + height + 6, 396] : [22, top - 6];
  const motifY = Math.round((from + to) / 2);
  const scale = Math.min(1.15, (to - from) / 222);
  const textColor =
    Number.parseInt(colors.ground.slice(3, 5), 16) > 120 ? colors.ink : commonColors.pale;
  const rings = ringOpacities.map((opacity, index) => {
    const innerRings = ringOpacities.length - 1 - index;
    const drift = (byte: number) => (innerRings * (byte - 128)) / 16;
    const center = `cx="${(154 + drift(driftX)).toFixed()}" cy="${(motifY + drift(driftY)).toFixed()}"`;
    const r = 88 * scale + innerRings * (11 + spread / 22) + (innerRings > 3 ? 26 : 0);
    return `<circle ${center} r="${r.toFixed()}" fill="${index < 4 ? colors.mid : colors.glow}" opacity="${opacity}"/>`;
  });
  const titleOutlines = lines.map((line, index) =>
    titleFace.outline(line, {
      x: 154,
      y: top + size * (0.8 + index * 1.06),
      size,
      anchor: "middle",
    }),
  );
  const author = authorFace.outline("Edgar Allan Poe", {
    x: 154,
    y: 420,
    size: 19,
    anchor: "middle",
    letterSpacing: 0.8,
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="450" viewBox="0 0 300 450">
<path fill="${colors.ground}" d="M0 0H300V450H0Z"/>
${rings.join("")}
<g transform="translate(154 ${motifY}) scale(${scale.toFixed(2)})" stroke-linecap="round" stroke-linejoin="round">
<circle r="103" fill="none" stroke="${colors.glow}" stroke-width="3" opacity=".6"
 stroke-dasharray="${dashes[dash % 4]}"/>
${drawMotif(colors)}
</g>
<path fill="${colors.ink}" opacity=".35" d="M0 0H9V450H0Z"/>
<path fill="none" stroke="${textColor}" stroke-width="2" d="${frames[kind]}"/>
<path fill="${textColor}" d="${titleOutlines.join("")}${author}"/>
</svg>
`;
}

const [input, output] = process.argv.slice(2);
if (!input || !output) throw new Error("Usage: node draw-covers.ts <books.yaml> <folder>");
const { books }: { books: Book[] } = parse(await readFile(input, "utf8"));
await mkdir(output, { recursive: true });
for (const book of books) await writeFile(join(output, `${book.id}.svg`), drawCover(book));
console.log(`Drew ${books.length} covers.`);
