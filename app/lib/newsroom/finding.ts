/**
 * What was found out about one part of the set-up, for a person who has to do something about it or
 * not.
 */
export type Finding = {
  about: string;
  /** A warning works today; what is bad does not work. */
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
    ...(fix === undefined ? {} : { fix: fix }),
  });

export const good = finding("good");
export const warning = finding("warning");
export const bad = finding("bad");

export { errorMessage } from "../log.ts";
