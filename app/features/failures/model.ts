/** After this time, a page that could not be shown without the database is asked for again. */
export const retryAfterSeconds = 30;

const reason = "This page needs our database, which does not answer at the moment.";

/** What the server answers while the database is away. */
export const unavailableMessages = {
  page: `${reason} It tries again by itself every ${retryAfterSeconds} seconds.\n`,
  form: `${reason} Please try again in a minute.\n`,
};
