const AMOUNT = /^[+−-]?\d{1,10}(\.\d{1,6})?$/;

/**
 * Dollars as typed, with a minus to take out; undefined when it is none, or 0. Thousands commas may stand in it.
 * `readSignedAmount('−1,250.5') === -1250.5`
 */
export function readSignedAmount(text: string): number | undefined {
  const plain = text.trim().replaceAll(',', '');
  if (!AMOUNT.test(plain)) return undefined;
  const amount = Number(plain.replace('−', '-'));
  return amount === 0 ? undefined : amount;
}
