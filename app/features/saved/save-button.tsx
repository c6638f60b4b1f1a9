import { isOwnPath } from "../../lib/links/own-path.ts";
import { useDeviceValue } from "../../ui/hooks/use-device-value.ts";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";
import { BookmarkIcon } from "../../ui/icons.tsx";
import { showToast } from "../../ui/toast.ts";
import {
  problemTexts,
  removeItem,
  type SavedItem,
  savedItems,
  saveItem,
  showSaved,
} from "./saved-items.ts";

type Props = {
  item: Omit<SavedItem, "savedAt">;
  /** In lists the button is only an icon. */
  look?: "icon" | "tool";
};

const classNames = {
  icon: "save-icon",
  tool: "share-tool",
};

/** This button appears after hydration, in a place that is reserved for it, so nothing moves. */
export function SaveButton({ item, look = "icon" }: Props) {
  const isSaved = useDeviceValue(savedItems).some(({ url }) => url === item.url);
  const isHydrated = useHydrated();
  const label = isSaved ? "Saved" : "Save";
  return (
    <span className={`save-place save-place-${look} script-only no-print`}>
      {isHydrated && (
        <button
          type="button"
          className={classNames[look]}
          aria-pressed={isSaved}
          aria-label={`${label}: ${item.title}`}
          data-tooltip={look === "icon" ? label : undefined}
          onClick={() => toggle(item, isSaved)}
        >
          <BookmarkIcon isFilled={isSaved} />
          {look !== "icon" && label}
        </button>
      )}
    </span>
  );
}

function toggle(item: Props["item"], isSaved: boolean): void {
  if (isSaved) {
    removeItem(item.url);
    return;
  }
  const problem = saveItem({ ...item, savedAt: Date.now() });
  if (problem !== null) showToast({ text: problemTexts[problem] });
  // Without a connection, the layer that stores the page knows whether there is a copy already.
  else showSaved(navigator.onLine || !isOwnPath(item.url) ? "stored" : "when-online");
}
