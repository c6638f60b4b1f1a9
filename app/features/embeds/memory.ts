const key = "harborline.embeds";

/** The services that this reader wants to see at once, on this device. */
export function alwaysLoadedServices(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter((item) => typeof item === "string") : [];
  } catch {
    return [];
  }
}

export function setAlwaysLoaded(service: string, always: boolean): void {
  const others = alwaysLoadedServices().filter((item) => item !== service);
  try {
    if (always) localStorage.setItem(key, JSON.stringify([...others, service]));
    else if (others.length > 0) localStorage.setItem(key, JSON.stringify(others));
    else localStorage.removeItem(key);
  } catch {
    // A device that keeps nothing: the reader is asked again next time.
  }
}
