import { expect, it, onTestFinished } from "vitest";
import { openTestDatabase } from "../../../../tests/support/database.ts";
import { readShippedSite } from "../../../../tests/support/shipped-site.ts";
import { alerts } from "../../alerts/schema.server.ts";
import { readAlerts, upsertAlert } from "../../alerts/store.server.ts";
import { officialAlerts } from "../../official-alerts/schema.server.ts";
import { changeAlerts } from "./change.server.ts";
import { showAlerts } from "./list.server.ts";

const editor = { name: "Ana", email: "ana@example.com" };
const leadsToPage = async (path: string) => ["/weather", "/news/ferry"].includes(path);

async function openAlerts() {
  const { db, close } = await openTestDatabase();
  onTestFinished(close);
  let now = new Date("2026-11-18T12:00:00Z");
  const clock = () => now;
  const desk = { db, clock, site: await readShippedSite(), editor, leadsToPage };
  return {
    ...desk,
    show: () => showAlerts(desk),
    send(fields: Record<string, string>) {
      // The log is in the order of its times.
      now = new Date(now.getTime() + 1_000);
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      return changeAlerts(desk, form);
    },
  };
}

it("an official alert that an editor ended can be shown again", async () => {
  const { db, clock, send, show } = await openAlerts();
  const endsAt = new Date("2026-11-18T18:00:00Z");
  await db.insert(officialAlerts).values({
    key: "1",
    messageId: "1",
    isListed: true,
    severity: "Severe",
    event: "Tornado Warning",
    headline: "Tornado warning",
    description: "Take shelter.",
    instruction: "",
    area: "Baltimore City",
    sender: "NWS",
    sentAt: clock(),
    endsAt,
    decision: null,
  });
  await upsertAlert(db, clock, "official", "1", {
    text: "Tornado warning",
    level: "urgent",
    link: null,
    startsAt: clock(),
    endsAt,
  });
  const [alert] = (await show()).alerts;
  expect(await send({ action: "end", id: alert?.id ?? "" })).toBeNull();
  expect(await show()).toMatchObject({
    alerts: [],
    hidden: [{ key: "1" }],
  });
  expect(await send({ action: "approve", key: "1" })).toBeNull();
  expect(await show()).toMatchObject({
    alerts: [{ text: "Tornado Warning" }],
    waiting: [],
    hidden: [],
  });
});

it("an alert leads to a page that exists, and can end earlier", async () => {
  const { db, clock, site, send, show } = await openAlerts();
  const alert = { action: "notice", text: "The ferry is late", hours: "3", until: "" };
  for (const link of ["/nope", "/news/nope"])
    expect(await send({ ...alert, link })).toMatchObject({
      summary: `There is no page ${link} on this site. Check the link.`,
      typed: { link },
    });
  expect(await send({ ...alert, link: "/weather?edition=light" })).toBeNull();
  expect(await send(alert)).toMatchObject({
    summary: "An alert with this text is running. Change it, or end it first.",
  });
  const [{ id, seen } = { id: "", seen: "" }] = (await show()).alerts;
  const change = { action: "change", id, seen, text: alert.text, link: "/news/ferry" };
  expect(await send({ ...change, until: "soon" })).toMatchObject({
    summary: expect.stringContaining("is not a time"),
  });
  expect(await send({ ...change, until: "8:00 am" })).toBeNull();
  expect(await readAlerts({ db, clock, site })).toMatchObject([
    { link: "/news/ferry", endsAt: new Date("2026-11-18T13:00:00Z") },
  ]);
});

it("a page that was opened before somebody changed an alert does not bring its old text back", async () => {
  const { db, clock, site, send, show } = await openAlerts();
  const old = "Boil your water downtown";
  expect(await send({ action: "urgent", text: old, hours: "3" })).toBeNull();
  const [opened] = (await show()).alerts;
  const change = { action: "change", id: opened?.id ?? "", level: "urgent" };
  const text = "Do not drink the water downtown";
  const byOther = { ...change, text, link: "", seen: opened?.seen ?? "" };
  expect(await send(byOther)).toBeNull();
  // Somebody who presses the button twice is not told of a change by somebody else.
  expect(await send(byOther)).toBeNull();
  const stale = { ...change, text: old, link: "/weather", seen: opened?.seen ?? "" };
  expect(await send(stale)).toMatchObject({
    summary: expect.stringContaining(`Now it says: “${text}”`),
    typed: { text: old, link: "/weather" },
  });
  expect(await readAlerts({ db, clock, site })).toMatchObject([{ text, link: null }]);
  const [now] = (await show()).alerts;
  expect(await send({ ...stale, seen: now?.seen ?? "" })).toBeNull();
  expect(await readAlerts({ db, clock, site })).toMatchObject([{ text: old, link: "/weather" }]);
});

it("an alert of notice.yaml can be deleted when the file no longer has it", async () => {
  const { db, clock, send, show } = await openAlerts();
  const text = "Office clsoed";
  const [startsAt, endsAt] = [clock(), new Date("2026-11-18T18:00:00Z")];
  await upsertAlert(db, clock, "file", "1", {
    text,
    level: "notice",
    link: null,
    startsAt,
    endsAt,
  });
  await db.update(alerts).set({ externalId: null, endedAt: new Date("2026-11-18T12:00:01Z") });
  await send({});
  const { past } = await show();
  expect(past).toMatchObject([{ text }]);
  expect(await send({ action: "delete", id: past[0]?.id ?? "" })).toBeNull();
  expect(await show()).toMatchObject({ past: [] });
});

it("the text of an official alert cannot be changed, and the refusal says so", async () => {
  const { db, close } = await openTestDatabase();
  onTestFinished(close);
  const start = new Date("2026-11-18T12:00:00Z");
  let now = start;
  const clock = () => now;
  const site = await readShippedSite();
  const services = { db, clock, site };
  await upsertAlert(db, clock, "official", "1", {
    text: "Tornado warning",
    level: "urgent",
    link: null,
    startsAt: start,
    endsAt: new Date("2026-11-18T18:00:00Z"),
  });
  now = new Date("2026-11-18T12:01:00Z");
  const [alert] = await readAlerts(services);
  const send = (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return changeAlerts({ ...services, leadsToPage, editor }, form);
  };
  const id = alert?.id ?? "";
  expect(await send({ action: "change", id, text: "All is well" })).toMatchObject({
    summary: "Only the authority can change this alert. You can end it.",
  });
  expect(await send({ action: "approve", key: "\u0000" })).toMatchObject({
    summary: "This alert no longer waits for a decision.",
  });
  expect(await send({ action: "end", id })).toBeNull();
  expect(await send({ action: "end", id })).toMatchObject({ summary: "This alert is over." });
});
