import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { accountName, memberClassNames } from '../core/account.ts';
import { type Finding, MOST_FINDINGS } from './finding.ts';
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
 * Recomputes the whole ledger from its rows and says what does not fit: rules that were changed or switched off,
 * transfers that are not what they were when they were posted, statements that do not add up, seals and checkpoints that were edited,
 * rows that are missing or came from elsewhere (ARCHITECTURE.md, "The money rules"). Reads one snapshot while the
 * product goes on working, so that what is sealed and posted meanwhile is in all that is compared or in none of it;
 * needs memory for a few thousand rows, however many there are.
 */
export async function verifyLedger(db: Db): Promise<Finding[]> {
  return inSnapshot(db, async (tx) => {
    const findings: Finding[] = [];
    for (const part of ledgerParts) findings.push(...(await verifyPart(tx, part)));
    return findings;
  });
}

/** The parts of it, in their order, for who looks at one after the other. */
export const ledgerParts = ['rules', 'seals', 'statements', 'sums'] as const;
type LedgerPart = (typeof ledgerParts)[number];

/**
 * One part of `verifyLedger`, in a snapshot of its own.
 *
 * @param mark leaves out what was found right before: transfers that this seal and those before it cover
 */
export function verifyLedgerPart(db: Db, part: LedgerPart, mark?: LedgerMark): Promise<Finding[]> {
  return inSnapshot(db, (tx) => verifyPart(tx, part, mark));
}

async function verifyPart(tx: Tx, part: LedgerPart, mark?: LedgerMark): Promise<Finding[]> {
  switch (part) {
    case 'rules':
      return verifyRules(tx);
    case 'seals':
      return mark ? verifySealsSince(tx, mark) : verifySeals(tx);
    case 'statements':
      return mark ? verifyStatementsSince(tx, mark) : [...(await verifyReversals(tx)), ...(await verifyStatements(tx))];
    case 'sums':
      return verifyBooks(tx);
  }
}

/** Lines since a seal, each with the one before it, and the balances of the accounts they moved. */
async function verifyStatementsSince(db: Db, { no }: LedgerMark): Promise<Finding[]> {
  const lines = await listBrokenLinesSince(db, no, MOST_FINDINGS);
  const balances = await listWrongBalancesSince(db, no, MOST_FINDINGS);
  return [...lines.map(brokenLine), ...balances.map(wrongBalance)];
}

async function verifyReversals(db: Db): Promise<Finding[]> {
  const wrong = await listWrongReversals(db, MOST_FINDINGS);
  return wrong.map(({ id }) => ({
    kind: 'transfer',
    subject: `transfer ${id}`,
    message: 'is not the one exact opposite of the transfer it reverses',
  }));
}

async function verifyStatements(db: Db): Promise<Finding[]> {
  const lines = (await listBrokenLines(db, MOST_FINDINGS)).map(brokenLine);
  const balances = (await listWrongBalances(db, MOST_FINDINGS)).map(wrongBalance);
  const members = (await listIncompleteMembers(db, memberClassNames.length, MOST_FINDINGS)).map(({ member_id }) => ({
    kind: 'account' as const,
    subject: `member ${member_id}`,
    message: `does not have ${memberClassNames.length} accounts`,
  }));
  return [...lines, ...balances, ...members];
}

const brokenLine = (line: BrokenLine): Finding => ({
  kind: 'account',
  subject: accountName(line.account),
  message: `transfer ${line.id} states the balance ${line.after}, but ${line.before} and ${line.signed} make ${line.before + line.signed}: it, or one before it, was changed, removed or put in`,
});

const wrongBalance = (account: WrongBalance): Finding => ({
  kind: 'account',
  subject: accountName(account.account),
  message:
    account.balance === null
      ? `does not exist, though transfer ${account.last_id} moved it`
      : `has the balance ${account.balance}, but ${account.last_id === null ? 'no transfer moved it' : `its last transfer ${account.last_id} left ${account.stated}`}`,
});

/** What members have and what the house has cancel out: every transfer took from one account what it gave another. */
async function verifyBooks(db: Db): Promise<Finding[]> {
  const { members, house } = await getTotals(db);
  if (members + house === 0n) return [];
  return [
    {
      kind: 'books',
      subject: 'sum of all accounts',
      message: `is ${members + house}, not 0: members ${members}, house ${house}`,
    },
  ];
}
