import { slashKeyOff } from "../../../lib/device/slash-setting.ts";
import { useDeviceValue } from "../../../ui/hooks/use-device-value.ts";
import { useHydrated } from "../../../ui/hooks/use-hydrated.ts";

/**
 * A checkbox that turns the `/` key off. WCAG 2.1.4 requires that readers can turn off a single-key
 * shortcut, because speech input or an accidental touch can trigger it.
 */
export function SlashSwitch() {
  const isOff = useDeviceValue(slashKeyOff);
  return (
    // The space is reserved from the start, so that nothing moves when the checkbox appears.
    <p className="no-print mt-14 min-h-7 border-line border-t pt-4 text-ink-soft text-sm">
      {useHydrated() && (
        <label className="inline-flex items-center gap-2.5 py-1">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            checked={!isOff}
            onChange={({ target }) => slashKeyOff.write(target.checked ? null : true)}
          />
          <span>
            Press <kbd className="rounded-sm border border-line px-1.5 font-sans">/</kbd> on any
            page to go to the search box
          </span>
        </label>
      )}
    </p>
  );
}
