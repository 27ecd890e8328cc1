import type { IntegrityCheck } from '#contract/operator/integrity.ts';
import { getServerKey } from '#server/accounts/index.ts';
import { verifyAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot, inTransaction } from '#server/db/tx.ts';
import { checkFunds } from '#server/funds/index.ts';
import { bookFault, listAllChecks, listNewChecks } from '#server/income/index.ts';
import { verifyLedgerPart } from '#server/ledger/index.ts';
import { verifySnapshots } from '#server/solvency/index.ts';
import type { Mark } from './run-sql.ts';

type Found = { readonly subject: string; readonly message: string };

/** @param mark what was found right before and need not be read again; undefined: everything is */
type Check = (context: Context, mark: Mark | undefined) => Promise<readonly Found[]>;

/**
 * What the books are checked for (docs/solvency.md). Each reads one snapshot of its own while the product goes on working, so
 * that what is sealed and posted meanwhile is in all that is compared or in none of it. On the embedded database, which has one
 * connection, others wait for a check, and have their turn between two of them.
 */
export const checks: Readonly<Record<IntegrityCheck, Check>> = {
  rules: ({ db }) => verifyLedgerPart(db, 'rules'),
  seals: ({ db }, mark) => verifyLedgerPart(db, 'seals', mark),
  statements: ({ db }, mark) => verifyLedgerPart(db, 'statements', mark),
  sums: ({ db }) => verifyLedgerPart(db, 'sums'),
  funds: ({ db }) => checkFunds(db),
  incomes: ({ db }, mark) => checkIncomes(db, mark),
  audit: ({ db }) => verifyAudit(db),
  snapshots: async ({ db, now }, mark) => {
    const serverKey = await inTransaction(db, (tx) => getServerKey(tx, 'solvency', now()));
    return verifySnapshots(db, serverKey, mark === undefined ? 'all' : 'newest');
  },
};

/** Escrow is that of open trades, pools are what was put in less what they paid, each session, week and month paid once. */
async function checkIncomes(db: Db, mark: Mark | undefined): Promise<Found[]> {
  const figures = await inSnapshot(db, mark === undefined ? listAllChecks : listNewChecks);
  return figures.flatMap((figure) => bookFault(figure) ?? []);
}
