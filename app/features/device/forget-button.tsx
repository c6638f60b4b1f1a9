import { useEffect, useRef, useState } from "react";
import { forgetEverything } from "../../lib/device/forget.ts";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";
import { currentToast } from "../../ui/toast.ts";

type Step = "start" | "confirm" | "working" | "done" | "kept";

/**
 * Deletes everything that the site has stored on the device, after a second button. That button is
 * not where the first one was, so that a double click deletes nothing.
 */
export function ForgetButton() {
  const [step, setStep] = useState<Step>("start");
  const isHydrated = useHydrated();
  const firstButton = useRef<HTMLButtonElement>(null);
  const isAsking = step === "confirm" || step === "working";

  /** The second button disappears, so the first one gets the keyboard focus back. */
  function close(lastStep: "start" | "done" | "kept") {
    firstButton.current?.focus({ preventScroll: true });
    setStep(lastStep);
  }

  useEffect(() => {
    // Without the reader's large text, the page is shorter and has moved.
    if (step === "done" || step === "kept")
      firstButton.current?.scrollIntoView({ block: "nearest" });
  }, [step]);

  async function confirm() {
    if (step === "working") return;
    setStep("working");
    const hasUnsentText = await forgetEverything();
    currentToast.write(null);
    close(hasUnsentText ? "kept" : "done");
  }

  return (
    <section id="forget" aria-labelledby="forget-heading" className="panel mt-10 max-w-2xl p-5">
      <h2 id="forget-heading" className="text-2xl">
        Forget everything
      </h2>
      <p className="mt-2">
        Deletes all that this site has stored on your device: what you saved, your settings, the
        time of your last visit, unsent forms and the pages stored for reading offline.
      </p>
      <noscript>
        <p className="mt-2">
          The button needs JavaScript, which does not run here. You can delete the site’s data in
          the settings of your browser instead.
        </p>
      </noscript>
      <div className="mt-4 flex min-h-11 flex-wrap items-center gap-x-4 gap-y-3">
        {isHydrated && (
          <>
            <button
              ref={firstButton}
              type="button"
              className="button button-plain"
              aria-disabled={isAsking}
              onClick={() => !isAsking && setStep("confirm")}
            >
              Forget everything
            </button>
            <p role="status">
              {isAsking && "This cannot be undone."}
              {step === "done" && "Done. This site has nothing stored on your device now."}
              {step === "kept" &&
                "Done, except for a text that you wrote as an editor and that our server does not have yet."}
            </p>
            {isAsking && (
              <div className="flex basis-full flex-wrap gap-x-4 gap-y-3">
                <button
                  type="button"
                  className="button button-gold"
                  aria-disabled={step === "working"}
                  onClick={confirm}
                >
                  Yes, forget everything
                </button>
                {step === "confirm" && (
                  <button
                    type="button"
                    className="button button-plain"
                    onClick={() => close("start")}
                  >
                    Cancel
                  </button>
                )}
              </div>
            )}
          </>
        )}
      </div>
    </section>
  );
}
