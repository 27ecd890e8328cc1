import type { Tx } from '#server/db/connect.ts';
import { findClassName } from '../core/account.ts';
import type { FlowTotal, FlowTotals } from '../core/flow-totals.ts';
import { listStoredTotals } from '../statement/flow-total-sql.ts';
import { type Finding, MOST_FINDINGS } from './finding.ts';

const classLabel = (number: number) => findClassName(number) ?? `class ${number}`;
const keyOf = (total: FlowTotal) => `${total.day} ${total.from} ${total.to} ${total.reason}`;

/** Whether the totals that are kept with the seals are what the sealed transfers add up to. */
export async function verifyFlowTotals(tx: Tx, expected: FlowTotals): Promise<Finding[]> {
  const stored = new Map((await listStoredTotals(tx)).map((total) => [keyOf(total), total]));
  const totals = expected.list();
  const known = new Set(totals.map(keyOf));
  const wrong = totals.flatMap((total) => {
    const kept = stored.get(keyOf(total));
    if (kept?.micros === total.micros && kept.count === total.count) return [];
    const says = kept === undefined ? 'is missing' : `says ${kept.micros} in ${kept.count}`;
    return [finding(total, `${says}, but the transfers make ${total.micros} in ${total.count}`)];
  });
  const surplus = [...stored.values()].filter((total) => !known.has(keyOf(total)));
  return [...wrong, ...surplus.map((total) => finding(total, 'is of no sealed transfer'))].slice(0, MOST_FINDINGS);
}

const finding = (total: FlowTotal, message: string): Finding => ({
  kind: 'flow total',
  subject: `${total.reason} from ${classLabel(total.from)} to ${classLabel(total.to)}, ${total.day ?? 'all days'}`,
  message,
});
