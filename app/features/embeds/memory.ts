const key = "harborline.embeds";

/** The services that the reader has chosen to load without being asked, on this device. */
export function alwaysLoadedServices(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(stored) ? stored.filter((item) => typeof item === "string") : [];
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
    // The browser does not allow storage, so the reader is asked again next time.
  }
}
