/** A finding of `doctor` about one part of the setup. */
export type Finding = {
  about: string;
  /** "warning": it works, but needs attention. "bad": it does not work. */
  state: "good" | "warning" | "bad";
  message: string;
  /** What to do. */
  fix?: string;
};

const finding =
  (state: Finding["state"]) =>
  (about: string, message: string, fix?: string): Finding => ({
    about,
    state,
    message,
    ...(fix === undefined ? {} : { fix }),
  });

export const good = finding("good");
export const warning = finding("warning");
export const bad = finding("bad");

export { errorMessage } from "../log.ts";
