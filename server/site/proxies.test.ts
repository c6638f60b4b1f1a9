import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { identifySender, readProxies, withPublicOrigin } from "./proxies.ts";

describe("TRUST_PROXY", () => {
  it.each([
    ["0", ["127.0.0.1", "::1"], false],
    ["1", ["127.0.0.1", "127.5.5.5", "::1", "::ffff:127.0.0.1"], true],
    ["1", ["10.0.0.5", "203.0.113.7", "2001:db8::1", "", "::ffff:10.0.0.5"], false],
    ["10.0.0.5", ["10.0.0.5", "::ffff:10.0.0.5"], true],
    ["10.0.0.5", ["10.0.0.6", "127.0.0.1"], false],
    ["10.1.0.0/16, 2001:db8::/32", ["10.1.200.3", "2001:db8:5::1"], true],
    ["10.1.0.0/16, 2001:db8::/32", ["10.2.0.1", "2001:db9::1"], false],
  ])("with the value %s: are %j trusted proxies? %s", (setting, addresses, isProxy) => {
    const proxies = readProxies(setting);
    // Each address is checked twice, because the last result is cached.
    for (const address of [...addresses, ...addresses])
      expect(proxies?.include(address), address).toBe(isProxy);
  });

  it.each([
    "yes",
    "nginx.example",
    "10.0.0.0/33",
    "10.0.0.5 10.0.0.6",
    "10.0.0.5,",
    "::1/129",
    "1,10.0.0.5",
  ])("with the value %j is refused, and the error names the setting", (setting) => {
    expect(() => readConfig({ TRUST_PROXY: setting })).toThrow(
      "  TRUST_PROXY: must be 0, 1 (a proxy on this machine)",
    );
  });
});

const forwarded = {
  "x-forwarded-proto": "https",
  "x-forwarded-host": "baltimore.example",
  "x-forwarded-for": "1.2.3.4",
};
const request = (headers: Record<string, string>) =>
  new Request("http://localhost:3000/about?x=1", { headers });

describe("the public origin", () => {
  it("ignores forwarded headers from clients that are not trusted", () => {
    expect(withPublicOrigin(request(forwarded), false).url).toBe("http://localhost:3000/about?x=1");
  });

  it("comes from the forwarded headers of our own proxy", () => {
    expect(withPublicOrigin(request(forwarded), true).url).toBe(
      "https://baltimore.example/about?x=1",
    );
  });

  it.each(["evil.example/path", "a b", "x@y", ""])(
    "ignores the malformed forwarded host %j",
    (host) => {
      const url = withPublicOrigin(request({ ...forwarded, "x-forwarded-host": host }), true).url;
      expect(url).toBe("https://localhost:3000/about?x=1");
    },
  );

  it.each([true, false])(
    "leaves no forwarded header for later code to read (trusted: %s)",
    (trusted) => {
      const headers = [...withPublicOrigin(request(forwarded), trusted).headers.keys()];
      expect(headers.filter((name) => name.includes("forwarded"))).toEqual([]);
    },
  );

  it("keeps the body of a form", async () => {
    const init = { method: "POST", headers: forwarded, body: "email=a" };
    const posted = new Request("http://localhost/newsletter", init);
    expect(await withPublicOrigin(posted, false).text()).toBe("email=a");
  });
});

describe("the IP address of a reader", () => {
  const identify = (remoteAddress: string, forwarded = "6.6.6.6, 1.2.3.4") => {
    const proxies = readProxies("1");
    if (!proxies) throw new Error("The setting is valid.");
    const headers = { "x-forwarded-for": forwarded, "x-forwarded-proto": "https" };
    return identifySender({ headers, socket: { remoteAddress } }, proxies);
  };

  it("is the other end of the connection, whatever the request's headers claim", () => {
    expect(identify("5.5.5.5")).toEqual({ ipAddress: "5.5.5.5", isSecure: false });
  });

  it("is the entry that our own proxy adds, not an entry that the client sent", () => {
    expect(identify("127.0.0.1")).toEqual({ ipAddress: "1.2.3.4", isSecure: true });
    expect(identify("127.0.0.1", "").ipAddress).toBe("127.0.0.1");
  });
});
