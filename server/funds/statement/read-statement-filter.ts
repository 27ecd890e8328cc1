import type { QueryOf } from '#contract/endpoint.ts';
import type { funds } from '#contract/funds/deposits.ts';
import type { StatementQuery } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { classOfWallet } from '../core/statement-wallets.ts';

/** What the list, its file and its totals are narrowed by. */
export type StatementFilter = QueryOf<typeof funds.getStatement>;

/** @throws Refused period_turned when the period ends before it begins */
export function readStatementFilter({
  kind,
  wallet,
  from,
  to,
}: StatementFilter): Pick<StatementQuery, 'classes' | 'reasons' | 'from' | 'to'> {
  const period = {
    from: from === undefined ? undefined : boundInstant(from),
    to: to === undefined ? undefined : boundInstant(to),
  };
  if (period.from !== undefined && period.to !== undefined && period.to < period.from)
    throw new Refused('period_turned');
  return {
    classes: wallet === undefined ? undefined : [classOfWallet[wallet]],
    reasons: kind === undefined ? undefined : [kind],
    ...period,
  };
}

/** Nothing moved before 1970, and one of the engines knows no year 0. */
const boundInstant = (instant: string): Date => new Date(Math.max(0, Date.parse(instant)));
