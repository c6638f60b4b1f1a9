import { createDeviceValue } from "../../../lib/device/device-value.ts";
import { onDisplayChange } from "../../../lib/device/display-attributes.ts";
import { displayEvent, displayKey } from "../../../lib/device/display-script.ts";

const choices = {
  theme: ["light", "dark"],
  textSize: ["large", "larger"],
  contrast: ["more"],
  motion: ["less"],
  saver: ["on"],
} as const;

type Name = keyof typeof choices;

/** What differs from the default. The names and values are those of the attributes of `<html>`. */
export type DisplaySettings = { [K in Name]?: (typeof choices)[K][number] };

const storedSettings = createDeviceValue<DisplaySettings>(displayKey, {}, selectValid);

/** Reads the settings that apply to the page now, which may be only on this page. */
const readFromPage = () => JSON.stringify(selectValid(document.documentElement.dataset));

/** For `useSyncExternalStore`, which compares texts better than objects. */
export const shownSettings = { subscribe: onDisplayChange, read: readFromPage };

/** Changes settings in all tabs. Returns false if the change applies only to the open page. */
export function changeDisplay(change: { [K in Name]?: DisplaySettings[K] | undefined }): boolean {
  const settings = selectValid({ ...document.documentElement.dataset, ...change });
  const isStored = storedSettings.write(Object.keys(settings).length > 0 ? settings : null);
  dispatchEvent(new CustomEvent(displayEvent, { detail: settings }));
  return isStored;
}

function selectValid(values: unknown): DisplaySettings {
  const given = new Map(Object.entries(values ?? {}));
  return Object.fromEntries(
    Object.entries(choices).flatMap(([name, allowed]) => {
      const value = allowed.find((each) => each === given.get(name));
      return value ? [[name, value]] : [];
    }),
  );
}
