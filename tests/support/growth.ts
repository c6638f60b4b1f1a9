const lengthFactor = 4;
const maxAttempts = 12;

/**
 * Measures how many times longer `read` takes for text that is four times as long: about 4 times if
 * its time is linear, about 16 times if it is quadratic. Other work on the machine makes single
 * measurements too long, never too short, so only the shortest times count. A function that is
 * clearly linear is not measured again.
 */
export function measureGrowth(
  read: (text: string) => unknown,
  makeText: (length: number) => string,
  shortLength = 25_000,
): number {
  const [shortText, longText] = [makeText(shortLength), makeText(shortLength * lengthFactor)];
  let [shortMs, longMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    shortMs = Math.min(shortMs, measureCpuMs(read, shortText));
    longMs = Math.min(longMs, measureCpuMs(read, longText));
    if (attempt > 0 && computeRatio(shortMs, longMs) < 1.5 * lengthFactor) break;
  }
  return computeRatio(shortMs, longMs);
}

/** Divides the times. Times below two milliseconds are too imprecise, so they count as two. */
const computeRatio = (shortMs: number, longMs: number) => longMs / Math.max(shortMs, 2);

/**
 * Measures the CPU time of this thread in milliseconds: user and system time together, because the
 * kernel only estimates how the sum is divided.
 */
function measureCpuMs(read: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  read(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
