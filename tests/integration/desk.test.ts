import { createHmac, randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import routes from "../../app/routes.ts";
import { startCity, type TestCity } from "../support/city.ts";
import { runInServer } from "../support/newsroom.ts";
import { parseMail } from "../support/received-mail.ts";
import { startSmtpServer, type TestSmtpServer } from "../support/smtp-server.ts";

const origin = "https://baltimore.harborline.example";
const [ana, bo] = ["ana@example.com", "bo@example.com"];
const writeDesk = (...emails: string[]) =>
  `editors:\n${emails.map((email) => `  - { name: Editor ${email.split("@")[0]}, email: ${email} }\n`).join("")}`;
const tokenPattern = /\/desk\/enter\?token=([\w.-]+)/;

let city: TestCity;
let smtp: TestSmtpServer;
let clock = Date.parse("2026-11-18T17:00:00Z");
beforeAll(async () => {
  smtp = await startSmtpServer();
  city = await startCity(
    {},
    { SMTP_URL: smtp.url, TRUST_PROXY: "1", FAKE_NOW: new Date(clock).toISOString() },
    { "desk.yaml": writeDesk(ana, bo) },
  );
});
beforeEach(() => {
  smtp.accepted.length = 0;
});
afterAll(async () => {
  await city?.close();
  await smtp?.close();
});

/** The clock of the server also moves by itself, and must not go back on a slow machine. */
let setAt = performance.now();
const passMinutes = (minutes: number) => {
  clock += minutes * 60_000 + performance.now() - setAt;
  setAt = performance.now();
  return city.server.setClock(new Date(clock).toISOString());
};

/** Each call is from another visitor, so that no test reaches a limit. */
let visitors = 0;
type RequestOptions = {
  cookie?: string;
  headers?: Record<string, string>;
  form?: FormData | object;
};
function request(path: string, { cookie, headers, form }: RequestOptions = {}) {
  visitors += 1;
  const body = form instanceof FormData ? form : new URLSearchParams({ ...form });
  return fetch(city.server.url + path, {
    ...(form ? { method: "POST", body } : {}),
    headers: {
      "x-forwarded-for": `192.0.2.${visitors % 250}`,
      ...(cookie ? { Cookie: cookie } : {}),
      ...headers,
    },
    redirect: "manual",
  });
}
const askForLink = async (email: string) => {
  const asked = await request("/desk?index", { form: { email } });
  return request(asked.headers.get("Location") ?? "/no-such-page");
};
const enter = (token: string, options: RequestOptions = {}) =>
  request(`/desk/enter?token=${token}`, { form: {}, ...options });
const newsroom = (...args: string[]) => runInServer(city.dataDir, args, { cwd: city.dataDir });
const listDevices = async (): Promise<{ id: string; editor: string }[]> =>
  JSON.parse((await newsroom("desk", "devices", "--json")).output);
const createToken = async (editor: string): Promise<string> => {
  const { output } = await newsroom("desk", "link", editor, "--json");
  return tokenPattern.exec(JSON.parse(output).link)?.[1] ?? "";
};
const readCookie = (response: Response) => response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
const signIn = async (editor: string) => readCookie(await enter(await createToken(editor)));
const isSignedIn = async (cookie: string) =>
  (await request("/desk/devices", { cookie })).status === 200;
const waitForMails = async (count: number) => {
  await expect.poll(() => smtp.accepted.length).toBeGreaterThanOrEqual(count);
  return smtp.accepted.map(({ to, content }) => ({ to, ...parseMail(content) }));
};
const findLinks = (mail: { text: string; html: string }) =>
  [...`${mail.text} ${mail.html}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link);

/** The paths of all pages and files of the desk, from the table of routes. */
const listPaths = (entries: RouteConfigEntry[], parent = ""): string[] =>
  entries.flatMap(({ path = "", children }) => {
    const full = path === "" ? parent : `${parent}/${path}`;
    return children ? listPaths(children, full) : [full];
  });
const deskPaths = listPaths(await routes)
  .filter((path) => /^\/desk(\/|$)/.test(path))
  .map((path) =>
    path
      .replaceAll(/:kind\b/g, "story")
      .replaceAll(/:\w+\??/g, crypto.randomUUID())
      .replace("*", "nothing"),
  );
/** What a person needs to sign in, and shows nothing else. */
const openPaths = ["/desk", "/desk/enter", "/desk/open"];

describe("signing in at the desk", () => {
  it("works with the button of the mailed link, which a program that opens every link does not press", async () => {
    const response = await askForLink(" Ana@Example.com ");
    expect(await response.text()).toContain("a link is on its way");
    const [mail] = await waitForMails(1);
    expect(mail).toMatchObject({ to: ana });
    const links = mail ? findLinks(mail) : [];
    const token = tokenPattern.exec(links.join(" "))?.[1] ?? "";
    for (const link of links.filter((each) => each.startsWith(origin)))
      for (const method of ["GET", "HEAD"])
        for (const purpose of ["", "prefetch"]) {
          const url = link.replace(origin, city.server.url);
          const opened = await fetch(url, { method, headers: { "Sec-Purpose": purpose } });
          expect(opened.status, `${method} ${link}`).toBe(200);
          expect(opened.headers.get("Set-Cookie")).toBeNull();
        }
    expect(await listDevices()).toEqual([]);

    const entered = await enter(token);
    expect(entered.status).toBe(302);
    expect(entered.headers.get("Location")).toBe("/desk/waiting");
    expect(entered.headers.get("Cache-Control")).toBe("no-store");
    expect(entered.headers.get("Set-Cookie")).toMatch(
      /^__Host-desk=[0-9a-f-]{36}\.[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict$/,
    );
    const cookie = readCookie(entered);
    expect(await isSignedIn(cookie)).toBe(true);
    expect(await listDevices()).toMatchObject([{ editor: ana }]);
    // The link works once.
    const replayed = await enter(token);
    expect(replayed.status).toBe(422);
    expect(replayed.headers.get("Set-Cookie")).toBeNull();
    expect(await replayed.text()).toContain("This link was used already.");

    const signedOut = await request("/desk/devices", { cookie, form: { device: "this" } });
    expect(signedOut.headers.get("Location")).toBe("/desk");
    expect(signedOut.headers.get("Set-Cookie")).toContain("Max-Age=0");
    expect(await isSignedIn(cookie)).toBe(false);
    // A line of the log would give somebody who reads it the link.
    expect(city.server.output()).not.toMatch(/token=|@example\.com|__Host/);
  });

  it("gives strangers the same answer as editors", async () => {
    const answers = await Promise.all(
      [ana, "stranger@example.com", "not an address", ""].map(async (email) => {
        const response = await askForLink(email);
        return [response.status, await response.text()];
      }),
    );
    expect(answers[0]?.[0]).toBe(200);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await waitForMails(1);
    await city.server.waitForOutput('"path":"/desk"');
    expect(smtp.accepted.map(({ to }) => to)).toEqual([ana]);
  });

  it("stays possible while a stranger asks for links in the name of an editor", async () => {
    await passMinutes(60);
    const askFrom = (address: string, email: string) =>
      request("/desk?index", { form: { email }, headers: { "x-forwarded-for": address } });
    for (let count = 1; count <= 12; count += 1)
      expect((await askFrom("198.51.100.1", ana)).status).toBe(count > 10 ? 429 : 302);
    await waitForMails(3);
    await askFrom("198.51.100.2", ana);
    await askFrom("198.51.100.3", bo);
    await waitForMails(5);
    expect(smtp.accepted.map(({ to }) => to).toSorted()).toEqual([ana, ana, ana, ana, bo]);
    // Many networks use up the links, but not for a network in which the editor has signed in.
    const own = { "x-forwarded-for": "203.0.113.7" };
    const cookie = readCookie(await enter(await createToken(ana), { headers: own }));
    for (let count = 0; count < 9; count += 1)
      await askFrom(`198.51.100.${10 + (count >> 1)}`, ana);
    await city.server.waitForOutput('"event":"desk.too_many_links"');
    smtp.accepted.length = 0;
    await askFrom("203.0.113.7", ana);
    await waitForMails(1);
    await request("/desk/devices", { cookie, form: { device: "this" } });
  });

  it("refuses forged, foreign, expired and removed links", async () => {
    const token = await createToken(ana);
    const [id = "", signature = ""] = token.split(".");
    const foreign = createHmac("sha256", randomBytes(32)).update(`link ${id}`).digest("base64url");
    const other = (await createToken(bo)).split(".")[1];
    const forged = [
      "",
      id,
      `${id}.`,
      `${id}.${foreign}`,
      `${id}.${other}`,
      `${crypto.randomUUID()}.${signature}`,
      `${"-".repeat(36)}.${signature}`,
      `${token}x`,
      `${id.toUpperCase()}.${signature}`,
    ];
    for (const each of forged) {
      const page = await request(`/desk/enter?token=${each}`);
      expect(await page.text(), each).toContain("This link does not work.");
      expect((await enter(each)).status, each).toBe(422);
    }
    await city.save("desk.yaml", writeDesk(bo));
    expect((await enter(token)).status).toBe(422);
    await city.save("desk.yaml", writeDesk(ana, bo));
    await passMinutes(16);
    const expired = await enter(token);
    expect(expired.status).toBe(422);
    expect(await expired.text()).toContain("This link is too old.");
    expect(await listDevices()).toEqual([]);
  });

  it("refuses forged and expired cookies, and those of editors who are no longer listed", async () => {
    const cookie = await signIn(ana);
    const [, id = "", secret = ""] = /=(.{36})\.(.*)/.exec(cookie) ?? [];
    const others = await signIn(bo);
    for (const forged of [
      `${id}.${randomBytes(32).toString("base64url")}`,
      `${id}.${others.split(".")[1]}`,
      `${crypto.randomUUID()}.${secret}`,
      `${"-".repeat(36)}.${secret}`,
      `${id}.`,
      `${id}.${secret}${secret}`,
    ])
      expect((await request("/desk/log", { cookie: `__Host-desk=${forged}` })).status, forged).toBe(
        302,
      );
    expect((await request("/desk/log", { cookie: `desk=${id}.${secret}` })).status).toBe(302);
    expect(await isSignedIn(`a=b; ${cookie}; c=d`)).toBe(true);

    await city.save("desk.yaml", writeDesk(ana));
    expect([await isSignedIn(cookie), await isSignedIn(others)]).toEqual([true, false]);
    await expect.poll(listDevices).toHaveLength(1);
    // A mistake in the file signs nobody in or out whom it still names.
    await city.edit("desk.yaml", () => "editors: [bo@example.com, ana@example.com]\n");
    await city.server.waitForOutput('"event":"site.invalid_kept_last_good","file":"desk.yaml"');
    expect([await isSignedIn(cookie), await isSignedIn(others)]).toEqual([true, false]);
    await city.save("desk.yaml", writeDesk(ana, bo));
    expect([await isSignedIn(cookie), await isSignedIn(others)]).toEqual([true, false]);
    const removed = await signIn(bo);
    await city.edit("desk.yaml", () => "editors: [ana@example.com]\n");
    await expect.poll(() => isSignedIn(removed)).toBe(false);
    expect(await isSignedIn(cookie)).toBe(true);
    await city.save("desk.yaml", writeDesk(ana, bo));
    // Between these lines, a little real time passes too.
    await passMinutes(30 * 24 * 60 + 10);
    expect(await isSignedIn(cookie)).toBe(false);
  });

  it("never accepts or keeps a cookie that the browser had before", async () => {
    const planted = `__Host-desk=${crypto.randomUUID()}.${randomBytes(32).toString("base64url")}`;
    const first = await enter(await createToken(ana), { cookie: planted });
    const cookie = readCookie(first);
    expect(cookie).not.toBe(planted);
    expect(await isSignedIn(planted)).toBe(false);
    // The browser's earlier session ends, but only if it is really that browser's.
    const [device = ""] = cookie.split(".");
    const stolenId = `${device}.${randomBytes(32).toString("base64url")}`;
    await enter(await createToken(bo), { cookie: stolenId });
    expect(await isSignedIn(cookie)).toBe(true);
    const second = readCookie(await enter(await createToken(bo), { cookie }));
    expect([await isSignedIn(cookie), await isSignedIn(second)]).toEqual([false, true]);
  });

  it("refuses forms of other sites, and everything over plain HTTP except on this machine", async () => {
    const cookie = await signIn(ana);
    const token = await createToken(ana);
    for (const Origin of ["https://evil.example", "null", "https://desk.evil.example"])
      for (const path of ["/desk?index", `/desk/enter?token=${token}`, "/desk/devices"]) {
        const form = { email: ana, device: "this" };
        const response = await request(path, { cookie, form, headers: { Origin } });
        expect(response.status, path).toBe(403);
      }
    expect(await isSignedIn(cookie)).toBe(true);

    const insecure = { "x-forwarded-host": "news.example", "x-forwarded-proto": "http" };
    for (const path of ["/desk", `/desk/enter?token=${token}`]) {
      const page = await (await request(path, { headers: insecure })).text();
      expect(page).toContain("The desk needs HTTPS");
      expect(page).not.toContain("<form");
    }
    const refused = await enter(token, { headers: insecure });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("Set-Cookie")).toBeNull();
    expect(await refused.text()).toContain("The desk needs HTTPS");
    const asked = await request("/desk?index", { form: { email: ana }, headers: insecure });
    expect(asked.headers.get("Location")).toBe("/desk");
    expect(smtp.accepted).toEqual([]);
    const secure = { ...insecure, "x-forwarded-proto": "https" };
    expect((await enter(token, { headers: secure })).status).toBe(302);
  });

  it("makes an unknown address of the desk a page that does not exist", async () => {
    const cookie = await signIn(ana);
    for (const path of ["/desk/nosuch", "/desk/listings/new", "/desk/alerts/1"])
      expect((await request(path, { cookie })).status, path).toBe(404);
  });

  it("is needed for every page and file of the desk", async () => {
    expect(deskPaths).toContain("/desk/waiting");
    const cookie = await signIn(ana);
    const checkHeaders = ({ headers }: Response, label: string) => {
      expect(headers.get("Cache-Control"), label).toBe("no-store");
      expect(headers.get("X-Robots-Tag"), label).toBe("noindex, nofollow");
    };
    for (const path of deskPaths) {
      const isOpen = openPaths.includes(path);
      for (const target of [path, `${path}.data`, `${path}.data?_routes=routes/desk/layout`]) {
        const [page, posted] = [await request(target), await request(target, { form: { a: "1" } })];
        for (const response of [page, posted]) {
          const label = `${response.url} ${response.status}`;
          const location = response.headers.get("Location") ?? "";
          checkHeaders(response, label);
          const text = await response.text();
          expect(text, label).not.toContain(ana);
          if (isOpen || target.includes("_routes")) continue;
          // React Router sends a redirect as data with status 202. Where there is no form, a post
          // is refused with status 405.
          expect([202, 302, 404, ...(response === posted ? [405] : [])], label).toContain(
            response.status,
          );
          if (response.status === 302) expect(location, label).toMatch(/^\/desk(\?to=|$)/);
          if (response.status === 202) expect(text, label).toMatch(/"redirect","\/desk(\?to=|")/);
        }
      }
      const own = await request(path, { cookie });
      checkHeaders(own, `${path} with a session`);
      // No page of another site can show it in a frame and make an editor click there.
      expect(own.headers.get("Content-Security-Policy"), path).toMatch(
        /frame-ancestors '(self|none)'/,
      );
    }
    // Webmail opens a link without the cookie, so a page of ours opens it again.
    const fromWebmail = { "Sec-Fetch-Site": "cross-site" };
    const opened = await request("/desk/log?before=x", { headers: fromWebmail });
    expect(opened.headers.get("Location")).toBe("/desk/open?to=%2Fdesk%2Flog%3Fbefore%3Dx");
    const opening = await (await request(opened.headers.get("Location") ?? "")).text();
    expect(opening).toContain('content="0;url=/desk/log?before=x"');
    expect((await request("/desk", { headers: fromWebmail })).headers.get("Location")).toBe(
      "/desk/open",
    );
    for (const target of [
      "https://evil.example/desk/",
      "//evil.example/desk/",
      "/desk/../about",
      "/desk/ENTER?token=x",
      "/desk/enter/?token=x",
      "/desk/%65nter",
      "/desk/Open/",
    ])
      expect(
        await (await request(`/desk/open?${new URLSearchParams({ to: target })}`)).text(),
      ).toContain('content="0;url=/desk/waiting"');
  });

  it("answers odd requests of editors without an error of the server", async () => {
    const cookie = await signIn(ana);
    const form = { intent: "take-over", item: "event:\0", act: "accept" };
    for (const path of ["/desk/published?q=%00", "/desk/waiting/event/%00"])
      expect((await request(path, { cookie })).status, path).toBeLessThan(500);
    const none = await request("/desk/waiting/all?kind=event", { cookie });
    expect(none.headers.get("Location")).toBe("/desk/waiting?kind=event");
    for (const path of ["/desk/write/abc", "/desk/waiting", "/desk/waiting/story/abc"])
      expect((await request(path, { cookie, form })).status, path).toBeLessThan(500);
  });

  it("changes nothing for readers", async () => {
    const cookie = await signIn(ana);
    for (const path of ["/", "/news", "/events", "/about", "/privacy", "/no-such-page"]) {
      const [plain, withCookie] = [await request(path), await request(path, { cookie })];
      expect(await withCookie.text(), path).toBe(await plain.text());
      expect(withCookie.headers.get("Cache-Control"), path).toBe(
        plain.headers.get("Cache-Control"),
      );
    }
    for (const path of ["/", "/robots.txt", "/sitemap.xml", "/sitemap/pages.xml", "/sw.js"])
      expect(await (await request(path)).text(), path).not.toMatch(/["/]desk[/"<]/);
  });
});

describe("what readers send", () => {
  /** Opens the page of a form, and sends it a minute later, as a person would. */
  async function send(path: string, fields: Record<string, string | Blob>) {
    const page = await (await request(path)).text();
    await passMinutes(1);
    const form = new FormData();
    form.set("token", /name="token" value="([^"]+)"/.exec(page)?.[1] ?? "");
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const response = await request(path, { form });
    expect(response.status, path).toBe(200);
  }
  const contact = { name: "Cy", email: "cy@example.com", message: "The pier is dark." };

  it("reaches every editor whole, with small images, and opening its links changes nothing", async () => {
    const photo = await sharp({
      create: { width: 1_600, height: 900, channels: 3, background: "#2f6f7e" },
    })
      .jpeg()
      .toBuffer();
    await send("/community/submit", {
      title: "Bcc: everybody@example.com",
      story: "It began with a cat.",
      name: "Cy",
      email: "cy@example.com",
      consent: "on",
      alt1: "A cat on a rope",
      images: new Blob([new Uint8Array(photo)]),
    });
    // The clock must not be set while a connection to the mail server is being opened.
    await waitForMails(2);
    await send("/contact/form", { ...contact, category: "technical" });
    const mails = await waitForMails(4);
    expect(mails.map(({ to }) => to).toSorted()).toEqual([ana, ana, bo, bo]);
    const story = mails.find(({ to, text }) => to === bo && text.includes("> It began"));
    expect(story?.headers.get("subject")).toMatch(
      /^A reader submitted a story \(\d+:\d\d [AP]M\)$/,
    );
    expect(story?.html).toContain('<img src="cid:image-1"');
    expect(await sharp(story?.images[0]).metadata()).toMatchObject({ format: "jpeg", width: 480 });
    const message = mails.find(
      ({ to, text }) => to === ana && text.includes("> The pier is dark."),
    );
    expect(message?.headers.get("subject")).toMatch(
      /^A reader's message: Technical problem \(\d+:\d\d [AP]M\)$/,
    );
    expect(message?.headers.get("reply-to")).toBe("cy@example.com");

    const listWaiting = async () => [
      (await newsroom("stories", "list", "--json")).output,
      (await newsroom("messages", "list", "--json")).output,
      (await newsroom("desk", "log", "--json")).output,
    ];
    const before = await listWaiting();
    const cookie = await signIn(ana);
    const links = new Set(mails.flatMap(findLinks).filter((link) => link.startsWith(origin)));
    expect([...links].filter((link) => link.includes("/desk/waiting/"))).toHaveLength(2);
    for (const link of links)
      for (const method of ["GET", "HEAD"])
        for (const Cookie of ["", cookie])
          await fetch(link.replace(origin, city.server.url), { method, headers: { Cookie } });
    const after = await listWaiting();
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(JSON.parse(after[2] ?? "").slice(1)).toEqual(JSON.parse(before[2] ?? ""));
  });

  it("goes to the mailbox for tips and to no editor if it is a tip", async () => {
    await send("/contact/form", { ...contact, category: "tip" });
    const [mail] = await waitForMails(1);
    expect(mail?.to).toBe("tips@baltimore.harborline.example");
    expect(smtp.accepted).toHaveLength(1);
  });

  it("goes to the newsroom, and every path of the desk is missing, in a city without a desk", async () => {
    const cookie = await signIn(ana);
    const token = await createToken(ana);
    expect(await (await request("/privacy")).text()).toContain("desk");
    await rm(join(city.siteFolder, "desk.yaml"));
    await expect.poll(async () => (await request("/desk")).status).toBe(404);
    for (const path of [...deskPaths, `/desk/enter?token=${token}`])
      for (const options of [{}, { cookie }, { cookie, form: { email: ana } }]) {
        const response = await request(path, options);
        // A page without a form has no other response to one.
        expect([404, ...("form" in options ? [405] : [])], path).toContain(response.status);
        expect(response.headers.get("Set-Cookie")).toBeNull();
        expect(await response.text(), path).not.toMatch(/Sign in|The desk/);
      }
    expect((await newsroom("desk", "link", ana)).output).toContain("This city has no desk.");
    expect(await (await request("/privacy")).text()).not.toContain("desk");
    await send("/contact/form", { ...contact, category: "technical" });
    const [mail] = await waitForMails(1);
    expect(mail?.to).toBe("hello@baltimore.harborline.example");
    await city.save("desk.yaml", writeDesk(ana, bo));
    expect(await isSignedIn(cookie)).toBe(true);
  });
});

describe("signing out", () => {
  it("ends unused links, all other devices at once, and is reported to the owner of a device", async () => {
    const cookies = [await signIn(ana), await signIn(ana), await signIn(ana)];
    const [cookie = ""] = cookies;
    const unused = await createToken(ana);
    await request("/desk/devices", { cookie, form: { device: "others" } });
    expect(await Promise.all(cookies.map(isSignedIn))).toEqual([true, false, false]);
    expect((await enter(unused)).status).toBe(422);
    await passMinutes(1);
    const older = await createToken(bo);
    await passMinutes(1);
    const bos = await signIn(bo);
    expect((await enter(older)).status).toBe(422);
    const device = (await listDevices()).find(({ editor }) => editor === bo)?.id;
    await request("/desk/devices", { cookie, form: { device } });
    expect(await isSignedIn(bos)).toBe(false);
    const [mail] = await waitForMails(1);
    expect(mail).toMatchObject({ to: bo, text: expect.stringContaining("Editor ana signed out") });
    const ended = await createToken(ana);
    await newsroom("desk", "sign-out", ana);
    expect((await enter(ended)).status).toBe(422);
  });
});

describe("the command desk", () => {
  it("lists and ends devices, lists what was done, and explains mistakes", async () => {
    const cookies = [await signIn(ana), await signIn(ana), await signIn("Editor bo")];
    const [device] = await listDevices();
    expect(await newsroom("desk", "sign-out", device?.id.slice(0, 8) ?? "")).toMatchObject({
      code: 0,
      output: `${bo} (A browser on an unknown system) is signed out.`,
    });
    expect(await newsroom("desk", "sign-out", ana)).toMatchObject({
      code: 0,
      output: "Editor ana is signed out.",
    });
    expect((await newsroom("desk", "sign-out", ana)).output).toBe("Editor ana was not signed in.");
    expect(await Promise.all(cookies.map(isSignedIn))).toEqual([false, false, false]);
    await newsroom("desk", "sign-out", "bo");
    expect((await newsroom("desk", "devices")).output).toContain("No editor is signed in.");
    const { output } = await newsroom("desk", "log", "--count", "20", "--json");
    const log: { action: string; editorName: string; note: string }[] = JSON.parse(output);
    expect(log[0]).toMatchObject({ editorName: "A newsroom command", action: "signed out" });
    const signedIn = log.filter(({ action }) => action === "signed in");
    expect(signedIn.slice(0, 2)).toMatchObject([
      { editorName: "Editor bo" },
      { editorName: "Editor ana" },
    ]);
    for (const [args, message] of [
      [["desk", "link"], "editor"],
      [["desk", "link", "nobody"], `No editor in desk.yaml matches "nobody".`],
      [["desk", "link", "example"], `No editor in desk.yaml matches "example".`],
      [["desk", "link", "editor"], 'Several editors match "editor"'],
      [["desk", "sign-out", "0000"], 'No editor in desk.yaml matches "0000".'],
      [["desk", "log", "--count", "0"], "--count"],
      [["desk", "open"], "desk"],
    ] as const)
      expect(await newsroom(...args), args.join(" ")).toMatchObject({
        code: 2,
        output: expect.stringContaining(message),
      });
  });
});
