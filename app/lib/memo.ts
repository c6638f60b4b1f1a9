/**
 * Returns a function that computes a value, and remembers the last value of each key while the
 * inputs are the same objects. So the inputs must never be mutated.
 */
export function createMemo<Value>() {
  const results = new Map<string, { inputs: readonly unknown[]; value: Value }>();
  return (key: string, inputs: readonly unknown[], compute: () => Value): Value => {
    const known = results.get(key);
    const isSame =
      known?.inputs.length === inputs.length &&
      inputs.every((input, index) => input === known.inputs[index]);
    if (known && isSame) return known.value;
    const value = compute();
    results.set(key, { inputs, value });
    return value;
  };
}
