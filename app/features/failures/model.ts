/** How often the browser reloads a page that needs the database while that is unavailable. */
export const retryAfterSeconds = 30;

const reason = "This page needs our database, which is not responding right now.";

export const unavailableMessages = {
  page: `${reason} It reloads automatically every ${retryAfterSeconds} seconds.\n`,
  form: `${reason} Please try again in a minute.\n`,
};
