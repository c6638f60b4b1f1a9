import { describe, expect, it } from "vitest";
import {
  isShown,
  isWaiting,
  type OfficialAlert,
  type OfficialMessage,
  planChanges,
} from "./plan.ts";

const choice = { show: ["Extreme", "Severe"], ask: ["Moderate"] } as const;
const at = (time: string) => new Date(`2026-11-18T${time}:00-05:00`);

const message = (
  id: string,
  sent: string,
  more: Partial<OfficialMessage> = {},
): OfficialMessage => ({
  id,
  type: "Alert",
  references: [],
  severity: "Severe",
  event: "High Wind Warning",
  headline: `High Wind Warning ${id}`,
  description: "",
  instruction: "",
  area: "Baltimore City",
  sender: "NWS Baltimore MD/Washington DC",
  sentAt: at(sent),
  endsAt: at("22:00"),
  ...more,
});
const update = (id: string, sent: string, ...references: string[]) =>
  message(id, sent, { type: "Update", references });
const cancel = (id: string, sent: string, ...references: string[]) =>
  message(id, sent, { type: "Cancel", references });

/** Applies one list after the other, and returns the headlines that readers see in the end. */
function follow(lists: [string, ...OfficialMessage[]][], until = lists.at(-1)?.[0] ?? "") {
  const alerts = new Map<string, OfficialAlert>();
  for (const [time, ...messages] of lists)
    for (const alert of planChanges([...alerts.values()], { messages, isComplete: true }, at(time)))
      alerts.set(alert.key, alert);
  return [...alerts.values()]
    .filter((alert) => isShown(alert, choice, at(until)))
    .map(({ headline }) => headline.replace("High Wind Warning ", ""));
}

describe("a sequence of official messages", () => {
  it.each<[string, [string, ...OfficialMessage[]][], string[]]>([
    ["an alert", [["12:00", message("a", "12:00")]], ["a"]],
    ["an alert twice in a list", [["12:00", message("a", "12:00"), message("a", "12:00")]], ["a"]],
    [
      "an alert in every list",
      [
        ["12:00", message("a", "12:00")],
        ["12:02", message("a", "12:00")],
      ],
      ["a"],
    ],
    [
      "an update",
      [
        ["12:00", message("a", "12:00")],
        ["13:00", update("b", "13:00", "a")],
      ],
      ["b"],
    ],
    [
      "an update next to what it replaces",
      [["13:00", update("b", "13:00", "a"), message("a", "12:00")]],
      ["b"],
    ],
    [
      "an update before what it replaces",
      [
        ["13:00", update("b", "13:00", "a")],
        ["13:02", update("b", "13:00", "a"), message("a", "12:00")],
      ],
      ["b"],
    ],
    [
      "a chain of which the middle is missing",
      [
        ["12:00", message("a", "12:00")],
        ["14:00", update("c", "14:00", "a", "b")],
      ],
      ["c"],
    ],
    [
      "an update that names only the one before",
      [
        ["12:00", message("a", "12:00")],
        ["13:00", update("b", "13:00", "a")],
        ["14:00", update("c", "14:00", "b")],
      ],
      ["c"],
    ],
    [
      "a cancellation",
      [
        ["12:00", message("a", "12:00")],
        ["13:00", cancel("b", "13:00", "a")],
      ],
      [],
    ],
    [
      "a cancellation before its alert",
      [
        ["13:00", cancel("b", "13:00", "a")],
        ["13:02", message("a", "12:00"), cancel("b", "13:00", "a")],
      ],
      [],
    ],
    ["an alert that is no longer listed", [["12:00", message("a", "12:00")], ["13:00"]], []],
    [
      "an alert that is listed again",
      [["12:00", message("a", "12:00")], ["13:00"], ["13:02", message("a", "12:00")]],
      ["a"],
    ],
    [
      "two alerts that one update replaces",
      [
        ["12:00", message("a", "12:00"), message("b", "12:01")],
        ["13:00", update("c", "13:00", "a", "b")],
      ],
      ["c"],
    ],
    ["an alert that was over before we saw it", [["23:00", message("a", "12:00")]], []],
  ])("with %s ends right", (_, lists, shown) => {
    expect(follow(lists)).toEqual(shown);
  });

  it("shows an alert until the minute before its end", () => {
    expect(follow([["12:00", message("a", "12:00")]], "21:59")).toEqual(["a"]);
    expect(follow([["12:00", message("a", "12:00")]], "22:00")).toEqual([]);
  });

  it("does not end an alert that may be in the part of a list that could not be read", () => {
    const [alert] = planChanges(
      [],
      { messages: [message("a", "12:00")], isComplete: true },
      at("12:00"),
    );
    if (!alert) return expect.unreachable();
    expect(planChanges([alert], { messages: [], isComplete: false }, at("12:02"))).toEqual([]);
  });

  it("keeps what an editor decided, unless the alert becomes worse", () => {
    const moderate = message("a", "12:00", { severity: "Moderate" });
    const [alert] = planChanges([], { messages: [moderate], isComplete: true }, at("12:00"));
    if (!alert) return expect.unreachable();
    expect(isShown(alert, choice, at("12:00"))).toBe(false);
    expect(isWaiting(alert, choice, at("12:00"))).toBe(true);
    const hidden = { ...alert, decision: "hidden" as const };
    const next = (severity: "Minor" | "Severe") =>
      planChanges(
        [hidden],
        { messages: [{ ...update("b", "13:00", "a"), severity }], isComplete: true },
        at("13:00"),
      )[0];
    expect(next("Minor")?.decision).toBe("hidden");
    expect(next("Severe")?.decision).toBeNull();
  });
});
