import { useEffect, useRef } from "react";
import { type Refusal, spamTrapField } from "./model.ts";

export function SpamTrap({ refusal }: { refusal: Refusal | undefined }) {
  const field = useRef<HTMLInputElement>(null);
  // A browser may have filled in the field, which the reader does not see.
  useEffect(() => {
    if (refusal && field.current) field.current.value = "";
  }, [refusal]);
  return (
    <div className="form-trap" aria-hidden="true">
      <label>
        Leave this field empty{" "}
        <input ref={field} name={spamTrapField} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
