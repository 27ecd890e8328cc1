import assert from 'node:assert';
import {
  consoleLedger,
  consoleMembers,
  consoleOverview,
  consoleSessions,
  solvency,
  trading,
} from '#contract/endpoints.ts';
import type { Overview } from '#contract/operator/overview.ts';
import type { ConsoleSession, SessionDetail } from '#contract/operator/sessions.ts';
import { inMicros, sumOf } from './figures.ts';
import { listOf } from './operator-steps.ts';
import type { Life, Lives } from './world.ts';

type Account = {
  readonly name: string;
  readonly group: 'asset' | 'member' | 'owed' | 'surplus';
  readonly amount: number;
};

/** What is owed and what is there: the same for members and operators, and in all its parts. */
export async function compareBooks({ as, by, must, finance }: Lives, life: Life): Promise<void> {
  const shown = must(await as(life, solvency.getSolvency));
  const accounts: Account[] = shown.accounts;
  const of = (...groups: readonly Account['group'][]) =>
    sumOf(
      accounts.filter(({ group }) => groups.includes(group)),
      ({ amount }) => amount,
    );
  const { assets } = shown;
  assert.deepEqual(
    [
      assets.booked,
      assets.gateway + assets.venue,
      shown.liabilities,
      shown.surplus,
      shown.surplus + shown.liabilities,
    ].map(inMicros),
    [of('asset'), of('asset'), of('member', 'owed'), of('surplus'), of('asset')],
    'solvency',
  );
  const { items } = must(await by(finance[0], consoleLedger.listLedgerAccounts));
  const nonzero = (all: readonly Omit<Account, 'group'>[]) =>
    all
      .filter(({ amount }) => amount !== 0)
      .map(({ name, amount }) => `${name} ${inMicros(amount)}`)
      .sort();
  assert.deepEqual(
    nonzero(items.map(({ account, amount }: { account: string; amount: number }) => ({ name: account, amount }))),
    nonzero(accounts),
    'accounts',
  );
}

/** Queues of the overview are as long as the lists that they lead to. */
export async function compareQueues(world: Lives): Promise<void> {
  const { queues }: Overview = world.must(await world.by(world.finance[0], consoleOverview.getOverview));
  for (const { state, count } of queues.withdrawals)
    assert.equal(count, (await listOf(world, 'withdrawals', state)).length, `withdrawals ${state}`);
  assert.equal(
    queues.deposits_in_review.count,
    (await listOf(world, 'deposits', 'review')).length,
    'deposits in review',
  );
  assert.equal(queues.proposals.adjustments, (await listOf(world, 'adjustments', 'proposed')).length, 'adjustments');
  assert.equal(queues.proposals.loosenings, (await listOf(world, 'loosenings', 'proposed')).length, 'loosenings');
}

/** A session's totals are those of its assets. */
export async function compareSessions({ by, must, finance }: Lives): Promise<void> {
  const { items } = must(await by(finance[0], consoleSessions.listSessions, { query: { limit: '100' } }));
  for (const { day, figures } of items as ConsoleSession[]) {
    if (figures === null) continue;
    const { assets }: SessionDetail = must(await by(finance[0], consoleSessions.getSessionDetail, { id: day }));
    const sums = {
      trades: assets.reduce((sum, { trades, open }) => sum + trades - open.trades, 0),
      staked: sumOf(assets, ({ staked, open }) => staked - open.staked),
      performance_fees: sumOf(assets, (asset) => asset.performance_fees),
      gross: sumOf(assets, ({ gross }) => gross),
    };
    const { trades, ...rest } = figures;
    const found = { trades, staked: rest.staked, performance_fees: rest.performance_fees, gross: rest.gross };
    const micros = ({ trades: count, ...dollars }: typeof found) => [count, ...Object.values(dollars).map(inMicros)];
    assert.deepEqual(micros(found), Object.values(sums), `session ${day}`);
  }
}

/** Operators see of a member what the member sees. */
export async function compareMember({ as, by, must, finance }: Lives, life: Life): Promise<void> {
  const own = must(await as(life, trading.getWalletSummary));
  const { summary } = must(await by(finance[0], consoleMembers.getMemberPage, { id: String(life.memberId) }));
  assert.deepEqual(summary, own, 'summary');
}
