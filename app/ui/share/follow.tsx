import { later } from "../later.tsx";

/** A button and a panel with the ways to follow a list. */
export const Follow = later(() =>
  import("./follow-panel.tsx").then(({ FollowPanel }) => FollowPanel),
);
