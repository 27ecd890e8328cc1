import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import type { Finding } from '#server/ledger/index.ts';
import {
  listWrongDays,
  listWrongDeposits,
  listWrongHolds,
  listWrongLives,
  listWrongWithdrawals,
} from './check-funds-sql.ts';

/** One fault can put many rows in the wrong; more findings of one kind would say nothing new. */
const MOST_FINDINGS = 100;

/**
 * Compares deposits and withdrawals with the ledger, from scratch, and says what does not fit: holds that are not
 * withdrawals under way, transfers that are missing, doubled or nobody's, sums of days, lives and approvals
 * (docs/withdrawals.md). Reads one snapshot while the product goes on working.
 */
export async function checkFunds(db: Db): Promise<Finding[]> {
  const checks = [listWrongHolds, listWrongWithdrawals, listWrongDays, listWrongLives, listWrongDeposits];
  return inSnapshot(db, async (tx) => {
    const findings: Finding[] = [];
    for (const check of checks) {
      const wrong = await check(tx, MOST_FINDINGS);
      findings.push(...wrong.map(({ subject, message }) => ({ kind: 'books' as const, subject, message })));
    }
    return findings;
  });
}
