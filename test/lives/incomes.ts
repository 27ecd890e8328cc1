import assert from 'node:assert';
import { income, trading } from '#contract/endpoints.ts';
import {
  type IncomeKind,
  type IncomeLine,
  incomeKinds,
  lineKinds,
  type MonthlyLine,
  type WeeklyLine,
} from '#contract/income.ts';
import { inMicros, listAll, sumOf } from './figures.ts';
import type { Life, Lives } from './world.ts';

type Kind = { readonly kind: IncomeKind; readonly lifetime: number };
type Day = { readonly kind: IncomeKind; readonly amount: number; readonly count: number };

const results: readonly IncomeKind[] = ['trade', 'compounding'];

/** The totals of incomes are the sums of their lines, of their days, and of what the ledger paid for them. */
export async function compareIncomes(world: Lives, life: Life): Promise<void> {
  const { as, must } = world;
  const earned: { kinds: Kind[]; team: Kind; results: Kind } = must(await as(life, income.getEarnings));
  const lifetime = new Map(earned.kinds.map((one) => [one.kind, inMicros(one.lifetime)]));
  const days = await listAll<Day>(world, life, income.getPayout);
  const byDay = new Map(
    incomeKinds.map((of) => [
      of,
      sumOf(
        days.filter(({ kind }) => kind === of),
        ({ amount }) => amount,
      ),
    ]),
  );
  assert.deepEqual(byDay, lifetime, 'days of incomes');

  for (const kind of lineKinds) {
    const { total } = must(await as(life, income.listLines, { id: kind }));
    const lines = await listAll<IncomeLine>(world, life, income.listLines, kind);
    const known = lifetime.get(kind === 'team-profit' ? 'team_profit' : kind);
    assert.deepEqual([inMicros(total), sumOf(lines, ({ amount }) => amount)], [known, known], `lines of ${kind}`);
  }
  const paid = (lines: readonly (WeeklyLine | MonthlyLine)[]) =>
    sumOf(
      lines.filter(({ held }) => !held),
      (line) => line.paid,
    );
  const weekly = await listAll<WeeklyLine>(world, life, income.listWeekly);
  const monthly = await listAll<MonthlyLine>(world, life, income.listMonthly);
  assert.deepEqual([paid(weekly), paid(monthly)], [lifetime.get('weekly'), lifetime.get('monthly')], 'pools');
  for (const { id, paid: amount, held } of weekly) {
    const { transfers } = must(await as(life, income.explainWeek, { id }));
    assert.equal(
      sumOf(transfers as { amount: number }[], (one) => one.amount),
      held ? 0 : inMicros(amount),
      `week ${id}`,
    );
  }
  for (const { id, paid: amount, held } of monthly) {
    const { transfers } = must(await as(life, income.explainMonth, { id }));
    assert.equal(
      sumOf(transfers as { amount: number }[], (one) => one.amount),
      held ? 0 : inMicros(amount),
      `month ${id}`,
    );
  }
  const sum = (isOne: (kind: IncomeKind) => boolean) =>
    sumOf(
      earned.kinds.filter(({ kind }) => isOne(kind)),
      (one) => one.lifetime,
    );
  const [ofTeam, ofTrades] = [sum((kind) => !results.includes(kind)), sum((kind) => results.includes(kind))];
  const summary = must(await as(life, trading.getWalletSummary));
  assert.deepEqual(
    [earned.team.lifetime, earned.results.lifetime, summary.income, summary.realised].map(inMicros),
    [ofTeam, ofTrades, ofTeam, ofTrades],
    'totals of incomes',
  );
}
