const storageKey = "harborline.embeds";

/** Returns the keys of the services that the reader has chosen to always load on this device. */
export function alwaysLoadedServices(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((item) => typeof item === "string") : [];
  } catch {
    return [];
  }
}

export function setAlwaysLoaded(service: string, shouldAlwaysLoad: boolean): void {
  const others = alwaysLoadedServices().filter((item) => item !== service);
  try {
    if (shouldAlwaysLoad) localStorage.setItem(storageKey, JSON.stringify([...others, service]));
    else if (others.length > 0) localStorage.setItem(storageKey, JSON.stringify(others));
    else localStorage.removeItem(storageKey);
  } catch {
    // The browser does not allow storage, so the reader is asked again next time.
  }
}
