import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { TextArea } from "../../../forms/fields.tsx";
import type { FilledFields } from "../../../forms/model.ts";
import { Press } from "../../pages/parts.tsx";
import { maxReasonLength } from "../model.ts";

export const reasonForMany =
  "All senders of these stories and events who left an email address get it in ten minutes.";

type Props = {
  accept: ReactNode;
  reject?: string;
  /** Says who gets the reason of a rejection. Without it, there is no field for one. */
  reasonHint?: string | undefined;
  refusal: FilledFields | undefined;
  /** Buttons before the others, of which the first is more important than these. */
  children?: ReactNode;
};

export function DecisionBar({ accept, reject = "Reject", reasonHint, refusal, children }: Props) {
  const isBusy = useNavigation().state !== "idle";
  const shared = { name: "act", disabled: isBusy };
  return (
    <div className="waiting-bar">
      {reasonHint && (
        <details
          className="waiting-reason"
          open={Boolean(refusal?.errors.reason || refusal?.typed.reason)}
        >
          <summary className="fold">Reject with a reason</summary>
          <TextArea
            name="reason"
            label="Reason"
            hint={reasonHint}
            rows={3}
            maxLength={maxReasonLength}
            refusal={refusal}
          />
        </details>
      )}
      {children}
      {accept && (
        <Press
          {...shared}
          value="accept"
          look={`button ${children ? "button-plain" : "button-gold"}`}
        >
          {accept}
        </Press>
      )}
      <Press {...shared} value="reject" look={`button ${accept ? "button-plain" : "button-gold"}`}>
        {reject}
      </Press>
    </div>
  );
}
