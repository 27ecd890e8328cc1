import type { DataOf } from '#contract/endpoint.ts';
import { toDollars, toTotal } from '#contract/money.ts';
import type { FundedPeriod, solvency } from '#contract/solvency/sheet.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { getHouseBalances, listFlows, listMonthFlows, sumFlows } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { findLastFigures, listSettledSessions } from '#server/trading/index.ts';
import { addDays, lastDay, monthOf } from './core/periods.ts';
import { type BalanceSheet, balanceSheet, type Funding, fundingOf, isIdle } from './core/solvency.ts';
import { sumHeld } from './periods/period-sql.ts';
import { findLastCheck } from './reconciliation/reconcile-sql.ts';

type Shown = DataOf<typeof solvency.getSolvency>;
/** The figures that the ledger alone provides. */
type BookedSolvency = Omit<
  Shown,
  'assets' | 'gateway_deviation' | 'gateway_coins' | 'exposure' | 'residuals' | 'sealed_at' | 'root' | 'own' | 'heads'
> & {
  readonly assets: Omit<Shown['assets'], 'reported'>;
};

const SESSIONS = 31;
/** Days searched for the last sessions; a recording may have gaps. */
const SESSION_DAYS = 2 * SESSIONS;

/**
 * Assets, liabilities, surplus and the funding of incomes, in one snapshot and from the ledger alone (docs/product.md,
 * section 1). Nothing is cached: the ledger keeps daily rollups.
 */
export async function getSolvency({ db, config, now }: Context): Promise<BookedSolvency> {
  return inSnapshot(db, async (tx) => {
    const marketAt = await getMarketTime(tx);
    const today = marketAt.toISOString().slice(0, 10);
    const flows = await sumFlows(tx);
    const sheet = balanceSheet(await getHouseBalances(tx), flows);
    const figures = await findLastFigures(tx);
    const check = await findLastCheck(tx);
    const firstDay = await findFirstDay(tx, today);
    return {
      simulated: config.mode === 'paper',
      at: now().toISOString(),
      market_time: marketAt.toISOString(),
      assets: {
        booked: toDollars(sheet.assets.booked),
        gateway: toDollars(sheet.assets.gateway),
        venue: toDollars(sheet.assets.venue),
      },
      liabilities: toDollars(sheet.liabilities),
      surplus: toDollars(sheet.surplus),
      accounts: sheet.accounts.map(({ micros, ...account }) => ({ ...account, amount: toDollars(micros) })),
      held: toDollars(await sumHeld(tx)),
      lifetime: showIfAny(firstDay, today, fundingOf(flows)),
      months: await listMonths(tx, firstDay, today),
      sessions: await listSessions(tx, today),
      members: { traded: Number(figures?.traded ?? 0n), negative: Number(figures?.negative ?? 0n) },
      checked: check === undefined ? null : { session: check.day, at: check.at.toISOString() },
    };
  });
}

async function findFirstDay(tx: Tx, today: string): Promise<string> {
  const [first] = await listSettledSessions(tx, { limit: 1 });
  return first?.day ?? today;
}

/** All of them, so that they add up to the total. */
async function listMonths(tx: Tx, firstDay: string, today: string): Promise<FundedPeriod[]> {
  const flows = Map.groupBy(await listMonthFlows(tx, firstDay), ({ day }) => day);
  const months: FundedPeriod[] = [];
  for (let month = monthOf(today); month.endsOn > firstDay; month = monthOf(addDays(month.startsOn, -1))) {
    const shown = showIfAny(month.startsOn, lastDay(month), fundingOf(flows.get(month.startsOn) ?? []));
    if (shown !== null) months.push(shown);
  }
  return months;
}

/** Days with collected fees or paid incomes: sessions, and days on which a week or month was paid late. */
async function listSessions(tx: Tx, today: string): Promise<FundedPeriod[]> {
  const flows = await listFlows(tx, { fromDay: addDays(today, -SESSION_DAYS) });
  const days = [...new Set(flows.map(({ day }) => day))].reverse();
  const shown = days.flatMap((day) => showIfAny(day, day, fundingOf(flows.filter((flow) => flow.day === day))) ?? []);
  return shown.slice(0, SESSIONS);
}

const showIfAny = (from: string, to: string, funding: Funding): FundedPeriod | null =>
  isIdle(funding)
    ? null
    : {
        from,
        to,
        trade_fees: toTotal(funding.tradeFees),
        performance_fees: toTotal(funding.performanceFees),
        execution_cost: toTotal(funding.executionCost),
        gains: toTotal(funding.gains),
        losses: toTotal(funding.losses),
        incomes: funding.incomes.map(({ kind, micros }) => ({ kind, amount: toTotal(micros) })),
        incomes_total: toTotal(funding.incomesTotal),
        pools_change: toTotal(funding.poolsChange),
        revenue: toTotal(funding.revenue),
      };

/**
 * Assets, liabilities and surplus. `db` must be a snapshot (`inSnapshot`), so that the two records compared here are
 * consistent.
 */
export async function getBalanceSheet(db: Db): Promise<BalanceSheet> {
  return balanceSheet(await getHouseBalances(db), await sumFlows(db));
}
