import type { Movement, StatementWallet } from '#contract/funds/deposits.ts';
import { t } from '../../../api/texts.ts';
import { kindLabel, walletLabel } from './labels.ts';
import { add } from './statement-totals.ts';

/** The lines that one operation posted: a placed trade is two, a settled one up to five. */
export type Operation = {
  id: string;
  title: string;
  /** Newest first, as in the statement. */
  lines: readonly [Movement, ...Movement[]];
  /** Of the wallets that are named. */
  amount: number;
  wallets: string;
  /** Of the one wallet that is named; null where there are two. */
  balanceAfter: number | null;
};

/** The lines of an operation share reference and time, and follow each other. */
export function groupOperations(lines: readonly Movement[]): Operation[] {
  const groups: [Movement, ...Movement[]][] = [];
  for (const line of lines) {
    const [first] = groups.at(-1) ?? [];
    if (first?.reference === line.reference && first.created_at === line.created_at) groups.at(-1)?.push(line);
    else groups.push([line]);
  }
  return groups.map(toOperation);
}

/** A transfer between two wallets adds up to nothing, so an operation shows what it did to the wallets nearest to the member. */
const nearness: readonly (readonly StatementWallet[])[] = [
  ['primary', 'profit'],
  ['invested'],
  ['in_trades', 'on_hold'],
];

function toOperation(lines: Operation['lines']): Operation {
  const nearest = nearness.find((wallets) => lines.some(({ wallet }) => wallets.includes(wallet))) ?? [];
  const shown = lines.filter(({ wallet }) => nearest.includes(wallet));
  const wallets = nearest.filter((wallet) => shown.some((line) => line.wallet === wallet));
  return {
    id: lines[0].id,
    title: titleOf(lines),
    lines,
    amount: add(shown.map(({ amount }) => amount)),
    wallets: wallets.map(walletLabel).join(', '),
    balanceAfter: wallets.length === 1 ? (shown[0]?.balance_after ?? null) : null,
  };
}

const teamKinds = ['referral_bonus', 'level_bonus', 'team_profit'];

/** What was posted first gives the name: `Trade settled`. Bonuses of one session have one together. */
function titleOf(lines: Operation['lines']): string {
  const kinds = new Set(lines.map(({ kind }) => kind));
  if (kinds.size > 1 && [...kinds].every((kind) => teamKinds.includes(kind))) return t`Team income`;
  return kindLabel((lines.at(-1) ?? lines[0]).kind);
}
