/** Calls the listener when a display setting changes, which `displayScript` writes to `<html>`. */
export function onDisplayChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true });
  return () => observer.disconnect();
}
