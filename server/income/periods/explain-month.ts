import assert from 'node:assert';
import type { DataOf } from '#contract/endpoint.ts';
import type { income } from '#contract/income.ts';
import { toDollars } from '#contract/money.ts';
import { listContacts } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type FeePlan, getFeePlan } from '#server/fee-plans/index.ts';
import { Refused } from '#server/refused.ts';
import { findStart, monthName } from '../core/periods.ts';
import { countedOf } from '../core/rank.ts';
import { percentOf } from '../core/show-line.ts';
import { showTransfers } from '../statement/show-transfers.ts';
import { showMonth } from './list-monthly.ts';
import { findMonthlyRow, listMonthLegs } from './monthly-sql.ts';
import { findPeriodRun } from './period-sql.ts';

type Explained = DataOf<typeof income.explainMonth>;

/** The largest ones: what no screen shows counts for little. */
const LEGS_SHOWN = 100;

/**
 * A month down to its sources: the legs with what of each counts, the rank they reach, what its volume put into the pool, what
 * all got of it, the ledger's transfer.
 *
 * @throws Refused not_found, also for a month in which the member's team did not trade
 */
export function explainMonth({ db }: Context, memberId: bigint, id: string): Promise<Explained> {
  const month = findStart('monthly', id);
  if (month === undefined) throw new Refused('not_found');
  return inSnapshot(db, async (tx) => {
    const row = await findMonthlyRow(tx, memberId, month);
    if (row === undefined) throw new Refused('not_found');
    const run = await findPeriodRun(tx, { kind: 'monthly', startsOn: month });
    assert(run, `the month ${month} was run, for it has lines`);
    const plan = await getFeePlan(tx, run.planId);
    const terms = row.rank === null ? undefined : plan.ranks[row.rank - 1];
    return {
      line: showMonth(row, [run]),
      team_volume: toDollars(row.teamVolume),
      required: terms === undefined ? null : toDollars(terms.volume),
      up_to: terms === undefined ? null : toDollars(terms.monthly),
      contributed: toDollars(row.contributed),
      pool: toDollars(run.pool),
      total: toDollars(run.total),
      leg_cap: percentOf(plan.legCapBps),
      ...(await showLegs(tx, { memberId, month, rank: row.rank ?? 1 }, plan)),
      transfers: await showTransfers(tx, [`monthly/${month}/${memberId}`]),
    };
  });
}

/** Each counts by the cap of the rank that was reached, or else of the first. */
async function showLegs(
  db: Db,
  { memberId, month, rank }: { memberId: bigint; month: string; rank: number },
  plan: FeePlan,
): Promise<Pick<Explained, 'legs' | 'legs_total'>> {
  const { legs, count } = await listMonthLegs(db, { memberId, month, limit: LEGS_SHOWN });
  const contacts = await listContacts(
    db,
    legs.map((leg) => leg.memberId),
  );
  const { volume: required } = plan.ranks[rank - 1] as FeePlan['ranks'][number];
  return {
    legs: legs.map((leg) => {
      const contact = contacts.get(leg.memberId);
      assert(contact, `member ${leg.memberId} of a leg of ${monthName(month)} exists`);
      return {
        id: leg.memberId.toString(),
        referral_code: contact.referralCode,
        name: contact.name,
        volume: toDollars(leg.volume),
        counted: toDollars(countedOf(leg.volume, required, plan.legCapBps)),
      };
    }),
    legs_total: Number(count),
  };
}
