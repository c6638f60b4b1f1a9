import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { linkToEdition } from "../../../edition/edition.ts";
import { createDeviceValue } from "../../../lib/device/device-value.ts";
import { displayEvent, displayKey, onDisplayChange } from "../../../lib/device/display-script.ts";
import { slashKeyOff } from "../../../lib/device/slash-setting.ts";
import { useDeviceValue } from "../../../ui/hooks/use-device-value.ts";
import { Link } from "../../../ui/link.tsx";

const textSizes = [
  ["Normal", undefined],
  ["Large", "large"],
  ["Larger", "larger"],
] as const;

const themes = [
  ["System", undefined],
  ["Light", "light"],
  ["Dark", "dark"],
] as const;

/** How the site looks on this device. Every change applies at once, in all tabs. */
export function DisplayPanel() {
  // `useSyncExternalStore` compares objects by identity, so the settings are passed as text.
  const shown = useSyncExternalStore(onDisplayChange, () => JSON.stringify(readFromPage()));
  const settings: DisplaySettings = JSON.parse(shown);
  const isKeyOff = useDeviceValue(slashKeyOff);
  const [isBlocked, setBlocked] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.querySelector("input")?.focus(), []);

  const change = (...args: Parameters<typeof changeDisplay>) => setBlocked(!changeDisplay(...args));

  return (
    <div ref={panel} className="grid gap-4">
      <h2 className="text-xl">Display</h2>
      <Choice
        legend="Text size"
        options={textSizes}
        value={settings.textSize}
        onChange={(textSize) => change({ textSize })}
      />
      <Choice
        legend="Colors"
        options={themes}
        value={settings.theme}
        onChange={(theme) => change({ theme })}
      />
      <div>
        <Switch
          isOn={settings.contrast !== undefined}
          onChange={(isOn) => change({ contrast: isOn ? "more" : undefined })}
        >
          More contrast
        </Switch>
        <Switch
          isOn={settings.motion !== undefined}
          onChange={(isOn) => change({ motion: isOn ? "less" : undefined })}
        >
          Less motion
        </Switch>
        <Switch
          isOn={settings.saver !== undefined}
          onChange={(isOn) => change({ saver: isOn ? "on" : undefined })}
          note="Leaves out the images further down a page, and stores only the pages you save for reading offline."
        >
          Data saver
        </Switch>
        <Switch
          isOn={!isKeyOff}
          onChange={(isOn) => setBlocked(!slashKeyOff.write(isOn ? null : true))}
        >
          Press <kbd className="rounded-sm border border-line px-1.5 font-sans">/</kbd> to search
        </Switch>
      </div>
      <p role="status" className="text-sm empty:hidden">
        {isBlocked &&
          "Your browser does not let this site store anything, so this setting ends when you leave the page."}
      </p>
      <p className="border-line border-t pt-3 text-sm">
        <LightEditionLink /> has no images and no scripts.
        <br />
        These settings stay on this device.{" "}
        <Link to="/privacy#forget" className="text-link">
          Forget everything
        </Link>
      </p>
    </div>
  );
}

function LightEditionLink() {
  const { search } = useLocation();
  return (
    // Not a link of the router: the other edition is another document.
    <a href={linkToEdition(search, "light")} className="text-link">
      The low-data edition
    </a>
  );
}

type ChoiceProps<T> = {
  legend: string;
  options: readonly (readonly [label: string, value: T])[];
  value: T;
  onChange(value: T): void;
};

function Choice<T>({ legend, options, value, onChange }: ChoiceProps<T>) {
  return (
    <fieldset>
      <legend className="font-semibold text-sm">{legend}</legend>
      <div className="display-choice">
        {options.map(([label, each]) => (
          <label key={label}>
            <input
              type="radio"
              name={legend}
              className="sr-only"
              checked={each === value}
              onChange={() => onChange(each)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type SwitchProps = {
  isOn: boolean;
  onChange(isOn: boolean): void;
  note?: string;
  children: ReactNode;
};

function Switch({ isOn, onChange, note, children }: SwitchProps) {
  return (
    <label className="flex min-h-11 gap-3 py-2 leading-snug">
      <input
        type="checkbox"
        className="mt-0.5 size-5 flex-none accent-accent"
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {children}
        {note && <span className="block text-ink-soft text-sm">{note}</span>}
      </span>
    </label>
  );
}

const choices = {
  theme: ["light", "dark"],
  textSize: ["large", "larger"],
  contrast: ["more"],
  motion: ["less"],
  saver: ["on"],
} as const;

type Name = keyof typeof choices;

/** The settings that differ from the default, named like the attributes of `<html>`. */
type DisplaySettings = { [K in Name]?: (typeof choices)[K][number] };

const storedSettings = createDeviceValue<DisplaySettings>(displayKey, {}, selectValid);

/** The settings that apply to the page now, which may be only on this page. */
const readFromPage = () => selectValid(document.documentElement.dataset);

/** Changes settings in all tabs. Returns false if the change applies only to the open page. */
function changeDisplay(change: { [K in Name]?: DisplaySettings[K] | undefined }): boolean {
  const settings = selectValid({ ...readFromPage(), ...change });
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
