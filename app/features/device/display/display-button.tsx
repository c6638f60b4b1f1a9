import { type ComponentType, useEffect, useRef, useState } from "react";
import { usePanel } from "../../../ui/hooks/use-panel.ts";
import { DisplayIcon } from "../../../ui/icons.tsx";

const panelId = "site-display";

/** Opens the display panel, whose code loads on first use. */
export function DisplayButton() {
  const panel = useRef<HTMLDivElement>(null);
  usePanel(panel);
  const [Content, setContent] = useState<ComponentType | null>(null);
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    const element = panel.current;
    const load = () => {
      if (!element?.matches(":popover-open")) return;
      import("./display-panel.tsx").then(
        ({ DisplayPanel }) => setContent(() => DisplayPanel),
        () => setFailed(true),
      );
    };
    // The reader may have opened the panel before this script loaded.
    load();
    element?.addEventListener("toggle", load);
    return () => element?.removeEventListener("toggle", load);
  }, []);

  return (
    <>
      <button
        type="button"
        className="icon-button script-only header-links:-mx-3"
        popoverTarget={panelId}
        aria-label="Display"
        data-tooltip="Display"
      >
        <DisplayIcon />
      </button>
      <div id={panelId} popover="auto" ref={panel} className="site-panel site-display script-only">
        {Content ? (
          <Content />
        ) : (
          <p role="status">
            {hasFailed
              ? "The settings could not be loaded. Please try again when you are connected."
              : "Loading the settings …"}
          </p>
        )}
      </div>
    </>
  );
}
