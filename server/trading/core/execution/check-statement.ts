/** The checked fields of a statement line. */
type CheckedLine = {
  readonly kind: 'fill' | 'transfer_in' | 'transfer_out' | 'other';
  readonly id: string;
  readonly at: Date;
  readonly pair: string;
  readonly coin: string;
  readonly orderId: string | null;
  readonly side: string | null;
  readonly quantity: string | null;
  readonly cost: string | null;
  readonly fee: string;
  readonly feeCoin: string | null;
  readonly amount: string | null;
};

const DECIMAL = /^-?\d{1,30}(\.\d{1,30})?$/;
const isDecimal = (text: string | null): text is string => text !== null && DECIMAL.test(text);
const isPositive = (text: string | null): boolean => isDecimal(text) && Number(text) > 0;

/**
 * Describes what cannot be true in an exchange's statement; undefined when it is plausible. A statement with such a
 * line is rejected whole, because a part of it would look complete.
 *
 * Faults: a fill of `-0.1` coins, an amount of `NaN`, a line without an id or an instant, one id with two contents.
 */
export function faultOfStatement(lines: readonly CheckedLine[]): string | undefined {
  const seen = new Map<string, string>();
  for (const line of lines) {
    const fault = line.kind === 'fill' ? faultOfFill(line) : faultOfMovement(line);
    if (fault !== undefined) return fault;
    const key = `${line.kind} ${line.pair} ${line.id}`;
    const content = JSON.stringify(line);
    if ((seen.get(key) ?? content) !== content) return `${line.kind} ${line.id} twice, with different figures`;
    seen.set(key, content);
  }
  return undefined;
}

function faultOfFill(line: CheckedLine): string | undefined {
  const { id, pair, orderId, side, quantity, cost, fee, feeCoin } = line;
  if (orderId === null || !/^[^/\s]+\/[^/\s]+$/.test(pair)) return `fill ${id} of order ${orderId} in ${pair}`;
  if (side !== 'buy' && side !== 'sell') return `fill ${id} that neither buys nor sells`;
  if (!isPositive(quantity) || !isPositive(cost)) return `fill ${id} of ${quantity} for ${cost}`;
  if (!isDecimal(fee) || (Number(fee) !== 0 && (feeCoin === null || feeCoin === 'undefined')))
    return `fill ${id} with a fee of ${fee} ${feeCoin}`;
  return faultOfName(line);
}

function faultOfMovement(line: CheckedLine): string | undefined {
  const { kind, id, amount } = line;
  const isOut = isDecimal(amount) && amount.startsWith('-');
  if (!isDecimal(amount) || (kind !== 'other' && isOut !== (kind === 'transfer_out')))
    return `${kind} ${id} of ${amount}`;
  return faultOfName(line);
}

function faultOfName({ kind, id, at, coin }: CheckedLine): string | undefined {
  if (id === '' || id === 'undefined' || id === 'null') return `${kind} without an id`;
  if (Number.isNaN(at.getTime())) return `${kind} ${id} without an instant`;
  return coin === '' || coin === 'undefined' ? `${kind} ${id} without a coin` : undefined;
}
