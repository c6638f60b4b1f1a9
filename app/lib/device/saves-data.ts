/** Whether the browser asks for little data. It then also sends `Save-Data` to the server. */
export const browserSavesData = (): boolean =>
  "connection" in navigator && Reflect.get(Object(navigator.connection), "saveData") === true;

/** Whether the reader has turned on the data saver, here or in the browser. Only for pages. */
export const savesData = (): boolean =>
  document.documentElement.dataset.saver === "on" || browserSavesData();
