/** Opens the stream of a live story, and returns a function that reads the next version. */
export async function followLiveStory(url: string, id: string) {
  const controller = new AbortController();
  const response = await fetch(`${url}/api/live/${id}`, { signal: controller.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const nextVersion = async () => {
    for (;;) {
      const found = /event: version\ndata: (\w+)\n\n/.exec(text);
      if (found) {
        text = text.slice(found.index + found[0].length);
        return found[1];
      }
      const read = await reader?.read();
      if (!read || read.done) return null;
      text += read.value;
    }
  };
  return { status: response.status, nextVersion, close: () => controller.abort() };
}
