/**
 * An amount a person typed into the payment page, in micros: dollars with at most two decimals, commas allowed.
 * `readTypedAmount('1,250.5') === 1_250_500_000n`, `readTypedAmount('-1') === undefined`
 */
export function readTypedAmount(text: string): bigint | undefined {
  const match = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(',', ''));
  if (match === null) return undefined;
  return BigInt(match[1] as string) * 1_000_000n + BigInt((match[2] ?? '').padEnd(2, '0')) * 10_000n;
}
