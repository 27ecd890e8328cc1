import type { RawBuilder } from 'kysely';
import type { Tx } from '#server/db/connect.ts';
import type { FeePlan } from '#server/fee-plans/index.ts';
import type { MemberBlock } from '#server/trading/index.ts';
import type { Period } from '../core/periods.ts';
import type { PeriodRun } from './period-sql.ts';

/** A run that has begun to pay: `paidAt` is the market time of its transfers. */
export type PaidRun = PeriodRun & { readonly paidAt: Date };

/** What a week and a month do each in their own way; `pay-period.ts` does the rest for both. */
export type PeriodRules = {
  /** SQL of one row with `total, qualified`: what the pool is divided by, and how many get something of it. */
  readonly totals: (period: Period & { readonly lastSession: string }, plan: FeePlan) => RawBuilder<unknown>;
  /** Stores the lines of a block of members, unless they are there. */
  readonly computeBlock: (tx: Tx, run: PeriodRun, plan: FeePlan, block: MemberBlock) => Promise<void>;
  /** Pays a block of members from its lines and tells them, unless the block is paid. */
  readonly payBlock: (tx: Tx, run: PaidRun, block: MemberBlock) => Promise<void>;
};
