const factor = 4;
const attempts = 12;

/**
 * Measures how many times longer `read` takes for a text that is four times as long: about 4 if its
 * time is linear, about 16 if it is quadratic. Other work on the machine makes single measurements
 * too long, never too short, so the shortest ones count. A function that is clearly linear is not
 * measured again.
 */
export function measureGrowth(
  read: (text: string) => unknown,
  makeText: (length: number) => string,
  small = 25_000,
): number {
  const [short, long] = [makeText(small), makeText(small * factor)];
  let [shortMs, longMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    shortMs = Math.min(shortMs, measureCpuMs(read, short));
    longMs = Math.min(longMs, measureCpuMs(read, long));
    if (attempt > 0 && ratio(shortMs, longMs) < 1.5 * factor) break;
  }
  return ratio(shortMs, longMs);
}

/** Times below two milliseconds are too imprecise. */
const ratio = (shortMs: number, longMs: number) => longMs / Math.max(shortMs, 2);

/**
 * CPU time of this thread in milliseconds: user and system time together, because the kernel only
 * estimates how they are divided.
 */
function measureCpuMs(read: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  read(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
