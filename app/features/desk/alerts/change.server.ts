import { readField } from "../../../lib/form.ts";
import type { Checked } from "../../alerts/input.ts";
import { type AlertLevel, alertLevels } from "../../alerts/model.ts";
import { readAlerts } from "../../alerts/store.server.ts";
import type { Refusal } from "../../forms/model.ts";
import { refuseForm } from "../model.ts";
import {
  type AlertDesk,
  decideOfficial,
  deleteMistakes,
  editAlert,
  endNow,
  overMessage,
  publishAlert,
} from "./write-alerts.server.ts";

const hourMs = 3_600_000;

export async function changeAlerts(desk: AlertDesk, form: FormData): Promise<Refusal | null> {
  const message = await carryOut(desk, form);
  return message === null ? null : refuseForm(message, form);
}

/** Returns why something was not done, or null. So do the functions below. */
async function carryOut(desk: AlertDesk, form: FormData): Promise<string | null> {
  const action = readField(form, "action");
  switch (action) {
    case "notice":
    case "urgent":
      return publish(desk, action, form);
    case "extend":
    case "change":
    case "end":
    case "delete":
      return changeOne(desk, action, form);
    case "approve":
      return decide(desk, "approved", form);
    case "hide":
      return decide(desk, "hidden", form);
    default:
      return "Choose what to do.";
  }
}

async function publish(desk: AlertDesk, level: AlertLevel, form: FormData): Promise<string | null> {
  const typed = readField(form, "until");
  const hours = Number(readField(form, "hours"));
  const until =
    typed === "" && hours > 0 && hours <= 24
      ? new Date(desk.clock().getTime() + hours * hourMs)
      : typed;
  const [text, link] = [readField(form, "text"), readField(form, "link")];
  return explain(await publishAlert(desk, { text, link, level, until }));
}

const explain = (checked: Checked<unknown>) => (checked.ok ? null : checked.message);

async function decide(
  desk: AlertDesk,
  decision: "approved" | "hidden",
  form: FormData,
): Promise<string | null> {
  return (await decideOfficial(desk, readField(form, "key"), decision))
    ? null
    : "This alert no longer waits for a decision.";
}

async function changeOne(
  desk: AlertDesk,
  action: "extend" | "change" | "end" | "delete",
  form: FormData,
): Promise<string | null> {
  const id = readField(form, "id");
  const alert = (await readAlerts(desk)).find((each) => each.id === id);
  if (!alert) return "This alert is no longer there.";
  switch (action) {
    case "end":
      return (await endNow(desk, [alert])).length > 0 ? null : overMessage;
    case "delete":
      return (await deleteMistakes(desk, [alert])).length > 0
        ? null
        : "This alert would return, because its issuer still has it.";
    case "extend":
      return explain(
        await editAlert(desk, alert, { until: new Date(alert.endsAt.getTime() + hourMs) }),
      );
    case "change":
      return explain(
        await editAlert(
          desk,
          alert,
          {
            text: readField(form, "text"),
            link: readField(form, "link"),
            level: alertLevels.find((each) => each === readField(form, "level")),
            until: readField(form, "until") || undefined,
          },
          readField(form, "seen"),
        ),
      );
  }
}
