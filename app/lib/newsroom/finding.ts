/** A finding of `doctor` about one part of the setup. */
export type Finding = {
  about: string;
  /** "warning" means that the part works but needs attention, "bad" that it does not work. */
  state: "good" | "warning" | "bad";
  message: string;
  /** What to do. */
  fix?: string;
};

const createFinding =
  (state: Finding["state"]) =>
  (about: string, message: string, fix?: string): Finding => ({
    about,
    state,
    message,
    ...(fix === undefined ? {} : { fix }),
  });

export const good = createFinding("good");
export const warning = createFinding("warning");
export const bad = createFinding("bad");

export { errorMessage } from "../log.ts";
