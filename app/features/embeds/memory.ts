import { createDeviceValue } from "../../lib/device/device-value.ts";

/** The keys of the services that the reader has chosen to always load on this device. */
const alwaysLoaded = createDeviceValue<string[]>("harborline.embeds", [], (stored) =>
  Array.isArray(stored) ? stored.filter((item) => typeof item === "string") : [],
);

export const alwaysLoadedServices = alwaysLoaded.read;

/** If the browser does not allow storage, the reader is asked again next time. */
export function setAlwaysLoaded(service: string, shouldAlwaysLoad: boolean): void {
  const others = alwaysLoaded.read().filter((item) => item !== service);
  const services = shouldAlwaysLoad ? [...others, service] : others;
  alwaysLoaded.write(services.length > 0 ? services : null);
}
