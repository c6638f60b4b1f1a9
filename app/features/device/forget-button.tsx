import { useState } from "react";
import { forgetEverything } from "../../lib/device/forget.ts";
import { useHydrated } from "../../ui/hooks/use-hydrated.ts";

type Step = "start" | "confirm" | "working" | "done";

/** Deletes everything that the site has stored on the device, after a second press. */
export function ForgetButton() {
  const [step, setStep] = useState<Step>("start");
  const isHydrated = useHydrated();

  async function press() {
    if (step !== "confirm") return setStep("confirm");
    setStep("working");
    await forgetEverything();
    setStep("done");
  }

  return (
    <section id="forget" aria-labelledby="forget-heading" className="forget">
      <h2 id="forget-heading" className="text-2xl">
        Forget everything
      </h2>
      <p className="mt-2">
        Deletes all that this site has stored on your device: what you saved, your settings, the
        time of your last visit, drafts of forms and the pages stored for reading offline.
      </p>
      <noscript>
        <p className="mt-2">
          The button needs JavaScript, which does not run here. You can delete the site's data in
          the settings of your browser instead.
        </p>
      </noscript>
      <div className="forget-controls">
        {isHydrated && (
          <>
            <button
              type="button"
              className={step === "confirm" ? "button button-gold" : "button button-plain"}
              aria-disabled={step === "working"}
              onClick={press}
            >
              {step === "confirm" ? "Yes, forget everything" : "Forget everything"}
            </button>
            {step === "confirm" && (
              <button
                type="button"
                className="button button-plain"
                onClick={() => setStep("start")}
              >
                Cancel
              </button>
            )}
            <p role="status">
              {step === "confirm" && "This cannot be undone."}
              {step === "done" && "Done. This site has nothing stored on your device now."}
            </p>
          </>
        )}
      </div>
    </section>
  );
}
