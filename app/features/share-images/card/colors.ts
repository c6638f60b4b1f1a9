/** The colors of the site's navy areas and of its drawings: see app/styles/tokens.css. */
export const colors = {
  navy: "#12263f",
  cream: "#f8f2e4",
  soft: "#bccad8",
  gold: "#e9b13c",
  crab: "#ac2c1b",
  rings: ["#17304e", "#1d3a5c", "#28466a"],
  water: "#0f3a4c",
  wave: "#3d7d86",
} as const;
