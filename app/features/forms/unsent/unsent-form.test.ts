import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sendForm } from "../send-form.ts";
import { deleteExpiredForms, unsentRetentionDays } from "./retention.ts";
import { storeUnsentForm, toUnsentPath, unsentForm } from "./unsent-form.ts";

/** A storage as browsers have it, with little space. */
function createStorage(maxLength = 60_000) {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    removeItem: (key: string) => items.delete(key),
    setItem(key: string, text: string) {
      if (text.length > maxLength) throw new Error("QuotaExceededError");
      items.set(key, text);
    },
  };
}

const createForm = (fields: Record<string, string | File>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};

const path = "/community/submit";
const now = Date.parse("2026-11-15T15:02:00Z");
const facts = { mayHaveArrived: false, now };
let storage: ReturnType<typeof createStorage>;
beforeEach(() => {
  storage = createStorage();
  Object.assign(globalThis, { localStorage: storage });
});
afterEach(() => Reflect.deleteProperty(globalThis, "localStorage"));

describe("an unsent form", () => {
  it("is stored without files, tokens and hidden fields, one for each form", () => {
    const photo = new File(["bytes"], "pier.jpg", { type: "image/jpeg" });
    const fields = { title: "Fog", token: "secret", website: "", picture1: photo, consent: "on" };
    expect(storeUnsentForm(path, createForm(fields), facts)).toBe("stored");
    expect(storeUnsentForm("/contact/form", createForm({ message: "Hello" }), facts)).toBe(
      "stored",
    );
    expect(unsentForm(path).read()).toEqual({
      values: { title: "Fog", consent: "on" },
      savedAt: now,
      hadFiles: true,
      mayHaveArrived: false,
    });
    expect([...storage.items.values()].join()).not.toContain("secret");
    expect(unsentForm("/contact/form").read()?.hadFiles).toBe(false);
    storeUnsentForm(path, createForm({ title: "Tide" }), facts);
    expect(unsentForm(path).read()?.values).toEqual({ title: "Tide" });
    expect(storage.items.size).toBe(2);
  });

  it(`is deleted after ${unsentRetentionDays} days even if its page is not opened again`, () => {
    storeUnsentForm(path, createForm({ title: "Fog" }), facts);
    storeUnsentForm("/contact/form", createForm({ message: "Hi" }), { ...facts, now: now + 1 });
    Object.assign(globalThis, {
      localStorage: Object.assign(Object.fromEntries(storage.items), {
        getItem: storage.getItem,
        removeItem: storage.removeItem,
      }),
    });
    deleteExpiredForms(now + unsentRetentionDays * 86_400_000 + 1);
    expect([...storage.items.keys()]).toEqual(["unsent./contact/form"]);
  });

  it("is not stored if the storage is full, and the caller learns that", () => {
    storage = createStorage(10);
    Object.assign(globalThis, { localStorage: storage });
    expect(storeUnsentForm(path, createForm({ story: "Fog" }), facts)).toBe("failed");
    expect(storage.items.size).toBe(0);
  });

  it("is not stored if it is a news tip, which must not leave traces on the device", () => {
    const tip = createForm({ category: "tip", message: "A secret" });
    expect(storeUnsentForm("/contact/form", tip, facts)).toBe("confidential");
    // Nor if the form was opened for one, whatever the reader has chosen since.
    const form = createForm({ category: "correction", message: "A secret" });
    const opened = toUnsentPath("/contact/form?category=tip&about=%2Fnews%2Fpier");
    expect(storeUnsentForm(opened, form, facts)).toBe("confidential");
    expect(storage.items.size).toBe(0);
    // Only the contact form has news tips.
    expect(storeUnsentForm("/events/submit", tip, facts)).toBe("stored");
  });

  it("is deleted if it became a news tip before the connection broke", async () => {
    const send = (category: string) => {
      const body = createForm({ category, message: "A secret" });
      const request = new Request("https://harborline.example/", { method: "POST", body });
      return sendForm(request, () => Promise.reject(new TypeError("offline")), "/contact/form");
    };
    await send("correction");
    expect(unsentForm("/contact/form").read()?.mayHaveArrived).toBe(true);
    await send("tip");
    expect(storage.items.size).toBe(0);
  });

  it("that was edited by hand or by another version is ignored", () => {
    for (const text of ["", "{", "[]", '"x"', '{"values":null}', '{"values":{},"savedAt":"x"}']) {
      storage.items.set(`unsent.${path}`, text);
      expect(unsentForm(path).read()).toBeNull();
    }
    storage.items.set(`unsent.${path}`, '{"values":{"a":1,"b":"x"},"savedAt":1}');
    expect(unsentForm(path).read()?.values).toEqual({ b: "x" });
  });
});
