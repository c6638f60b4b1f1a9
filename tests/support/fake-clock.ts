/**
 * Shifts the clock of a process, for tests of content that depends on the time. `startServer` loads
 * this module if FAKE_NOW is set: the time at which the process believes that it starts. A message
 * from the test (`setClock`) sets the clock to another time. In both cases time then passes as usual.
 */
const RealDate = Date;
const offsetTo = (now: string) => Date.parse(now) - RealDate.now();
let offsetMs = offsetTo(process.env.FAKE_NOW ?? "");

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + offsetMs] : args),
  apply: () => new RealDate(RealDate.now() + offsetMs).toString(),
  get: (target, name) =>
    name === "now" ? () => RealDate.now() + offsetMs : Reflect.get(target, name),
});

process.on("message", (now) => {
  offsetMs = offsetTo(String(now));
  process.send?.("clock set");
});
// The connection to the test does not keep the process running.
process.channel?.unref();

export {};
