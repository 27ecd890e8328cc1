import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { accountName, memberClassNames } from '../core/account.ts';
import { type Discrepancy, MAX_DISCREPANCIES } from './discrepancy.ts';
import { verifyRules } from './verify-rules.ts';
import { type LedgerMark, verifySeals, verifySealsSince } from './verify-seals.ts';
import {
  type BrokenLine,
  getTotals,
  listBrokenLines,
  listBrokenLinesSince,
  listIncompleteMembers,
  listWrongBalances,
  listWrongBalancesSince,
  listWrongReversals,
  type WrongBalance,
} from './verify-sql.ts';

/**
 * Recomputes the whole ledger from its rows and returns every discrepancy: rules that were changed or disabled,
 * transfers that were modified, statements that do not add up, edited seals and checkpoints, missing and foreign rows
 * (ARCHITECTURE.md, "The money rules"). Reads one snapshot, so it is consistent while the product posts and seals.
 * Memory is bounded to a few thousand rows.
 */
export async function verifyLedger(db: Db): Promise<Discrepancy[]> {
  return inSnapshot(db, async (tx) => {
    const discrepancies: Discrepancy[] = [];
    for (const part of ledgerParts) discrepancies.push(...(await verifyPart(tx, part)));
    return discrepancies;
  });
}

/** The parts of `verifyLedger` in order, to run them one by one. */
export const ledgerParts = ['rules', 'seals', 'statements', 'sums'] as const;
type LedgerPart = (typeof ledgerParts)[number];

/**
 * One part of `verifyLedger`, in a snapshot of its own.
 *
 * @param mark skips transfers covered up to this seal, which were verified before
 */
export function verifyLedgerPart(db: Db, part: LedgerPart, mark?: LedgerMark): Promise<Discrepancy[]> {
  return inSnapshot(db, (tx) => verifyPart(tx, part, mark));
}

async function verifyPart(tx: Tx, part: LedgerPart, mark?: LedgerMark): Promise<Discrepancy[]> {
  switch (part) {
    case 'rules':
      return verifyRules(tx);
    case 'seals':
      return mark ? verifySealsSince(tx, mark) : verifySeals(tx);
    case 'statements':
      return mark ? verifyStatementsSince(tx, mark) : [...(await verifyReversals(tx)), ...(await verifyStatements(tx))];
    case 'sums':
      return verifySums(tx);
  }
}

/** Lines since a seal, each against the one before it, and the balances of the accounts they moved. */
async function verifyStatementsSince(db: Db, { no }: LedgerMark): Promise<Discrepancy[]> {
  const lines = await listBrokenLinesSince(db, no, MAX_DISCREPANCIES);
  const balances = await listWrongBalancesSince(db, no, MAX_DISCREPANCIES);
  return [...lines.map(brokenLine), ...balances.map(wrongBalance)];
}

async function verifyReversals(db: Db): Promise<Discrepancy[]> {
  const wrong = await listWrongReversals(db, MAX_DISCREPANCIES);
  return wrong.map((id) => ({
    kind: 'transfer',
    subject: `transfer ${id}`,
    message: 'is not the only and exact reversal of its transfer',
  }));
}

async function verifyStatements(db: Db): Promise<Discrepancy[]> {
  const lines = (await listBrokenLines(db, MAX_DISCREPANCIES)).map(brokenLine);
  const balances = (await listWrongBalances(db, MAX_DISCREPANCIES)).map(wrongBalance);
  const members = (await listIncompleteMembers(db, memberClassNames.length, MAX_DISCREPANCIES)).map((memberId) => ({
    kind: 'account' as const,
    subject: `member ${memberId}`,
    message: 'does not have one account of each class',
  }));
  return [...lines, ...balances, ...members];
}

const brokenLine = (line: BrokenLine): Discrepancy => ({
  kind: 'account',
  subject: accountName(line.account),
  message: `transfer ${line.id} states balance ${line.after}, expected ${line.before + line.signed} (${line.before} before, ${line.signed} moved): this transfer or an earlier one was modified, removed or inserted`,
});

const wrongBalance = (account: WrongBalance): Discrepancy => ({
  kind: 'account',
  subject: accountName(account.account),
  message:
    account.balance === null
      ? `is missing, but transfer ${account.last_id} refers to it`
      : `has balance ${account.balance}, but ${account.last_id === null ? 'no transfers' : `its last transfer ${account.last_id} states ${account.stated}`}`,
});

/** All balances sum to zero, because every transfer debits one account with what it credits to another. */
async function verifySums(db: Db): Promise<Discrepancy[]> {
  const { members, house } = await getTotals(db);
  if (members + house === 0n) return [];
  return [
    {
      kind: 'ledger',
      subject: 'sum of all accounts',
      message: `is ${members + house}, not 0: members ${members}, house ${house}`,
    },
  ];
}
