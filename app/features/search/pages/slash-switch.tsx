import { useEffect, useState } from "react";
import { isSlashKeyOn, saveSlashKey } from "../slash-setting.ts";

/**
 * WCAG 2.1.4: a shortcut of one key can be turned off, for those who speak or brush against their
 * keys.
 */
export function SlashSwitch() {
  const [isOn, setOn] = useState<boolean | null>(null);
  useEffect(() => setOn(isSlashKeyOn()), []);
  return (
    // Its place is kept from the start, so that nothing moves when it is there.
    <p className="no-print mt-14 min-h-7 border-line border-t pt-4 text-ink-soft text-sm">
      {isOn !== null && (
        <label className="inline-flex items-center gap-2.5 py-1">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            checked={isOn}
            onChange={({ target }) => {
              saveSlashKey(target.checked);
              setOn(target.checked);
            }}
          />
          <span>
            The <kbd className="rounded-sm border border-line px-1.5 font-sans">/</kbd> key leads to
            the search box from anywhere
          </span>
        </label>
      )}
    </p>
  );
}
