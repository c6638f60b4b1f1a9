import { spamTrapField } from "./model.ts";

export function SpamTrap() {
  return (
    <div className="form-trap" aria-hidden="true">
      <label>
        Leave this field empty <input name={spamTrapField} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}
