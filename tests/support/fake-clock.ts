/**
 * Shifts the clock of a process, for tests of content that appears at a certain time. Load it with
 * `NODE_OPTIONS=--import=…/fake-clock.ts` and set FAKE_NOW to the time at which the process should
 * believe that it starts.
 */
const offsetMs = Date.parse(process.env.FAKE_NOW ?? "") - Date.now();
const RealDate = Date;

if (!Number.isNaN(offsetMs))
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args) =>
      Reflect.construct(target, args.length === 0 ? [RealDate.now() + offsetMs] : args),
    apply: () => new RealDate(RealDate.now() + offsetMs).toString(),
    get: (target, name) =>
      name === "now" ? () => RealDate.now() + offsetMs : Reflect.get(target, name),
  });

export {};
