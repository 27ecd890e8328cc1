/**
 * What a member is told once a session is settled: one sentence for all trades of it.
 *
 * `settledMessage({ day: '2026-03-04', trades: 2, result: -1_250_000n })` is
 * `Session of 2026-03-04 settled: 2 trades, result −1.25 $.`
 */
export function settledMessage(summary: {
  readonly day: string;
  readonly trades: number;
  readonly result: bigint;
}): string {
  const trades = summary.trades === 1 ? '1 trade' : `${summary.trades} trades`;
  return `Session of ${summary.day} settled: ${trades}, result ${formatSigned(summary.result)} $.`;
}

/** Signed, at least 2 and at most 4 decimals, rounded half away from zero as everywhere on screen. */
function formatSigned(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  const tenThousandths = (size + 50n) / 100n;
  const whole = tenThousandths / 10_000n;
  const decimals = (tenThousandths % 10_000n)
    .toString()
    .padStart(4, '0')
    .replace(/0{1,2}$/, '');
  const sign = tenThousandths === 0n ? '' : micros < 0n ? '−' : '+';
  return `${sign}${whole}.${decimals}`;
}
