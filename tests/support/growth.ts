const factor = 4;
const attempts = 12;

/**
 * How many times longer `read` takes for a text four times as long: about 4 if its time is linear,
 * about 16 if it is quadratic. Other work on the machine makes single measurements too long, never
 * too short, so the shortest count, and what is clearly linear is not measured again.
 */
export function measureGrowth(
  read: (text: string) => unknown,
  textOf: (length: number) => string,
  small = 25_000,
): number {
  const [short, long] = [textOf(small), textOf(small * factor)];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    least = Math.min(least, measureCpuMs(read, short));
    most = Math.min(most, measureCpuMs(read, long));
    if (attempt > 0 && ratio(least, most) < 1.5 * factor) break;
  }
  return ratio(least, most);
}

/** Below two milliseconds the clock says little. */
const ratio = (least: number, most: number) => most / Math.max(least, 2);

/**
 * In milliseconds of this thread on a processor. The kernel only guesses which of them were the
 * user's.
 */
function measureCpuMs(read: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  read(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
