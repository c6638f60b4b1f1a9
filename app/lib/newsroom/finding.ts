/** What a check of `doctor` found out about one part of the setup. */
export type Finding = {
  /** The part, if it is not the one that the check is named after. */
  about?: string;
  /** "warning" means that the part works but needs attention, "bad" that it does not work. */
  state: "good" | "warning" | "bad";
  message: string;
  fix?: string;
};

const createFinding =
  (state: Finding["state"]) =>
  (message: string, fix?: string): Finding =>
    fix === undefined ? { state, message } : { state, message, fix };

export const good = createFinding("good");
export const warning = createFinding("warning");
export const bad = createFinding("bad");
