import fc from 'fast-check';
import type { Endpoint } from '#contract/endpoint.ts';
import {
  consoleLedger,
  consoleSessions,
  funds,
  operatorPayouts,
  plans,
  trading,
  withdrawals,
} from '#contract/endpoints.ts';
import { allEndpoints } from '#contract/index.ts';
import type { Given, Outcome } from '#test/worlds/calls.ts';
import { compareBooks, compareMember, compareQueues, compareSessions } from './books.ts';
import { comparePortfolio, compareStatement } from './figures.ts';
import { compareIncomes } from './incomes.ts';
import { pick, step, which } from './member-steps.ts';
import { compareTrades } from './trades.ts';
import type { Life, Lives } from './world.ts';

/** Which list names what a path shows. */
const lists: Readonly<Record<string, readonly [Endpoint, string]>> = {
  '/secure/:id': [funds.listDeposits, 'id'],
  '/safe/withdrawal/:id': [withdrawals.listWithdrawals, 'id'],
  '/trading/plans/:id': [plans.listPlans, 'id'],
  '/trading/:id': [trading.listTrades, 'id'],
  '/operator/deposits/:id': [operatorPayouts.listOperatorDeposits, 'id'],
  '/operator/withdrawals/:id': [operatorPayouts.listOperatorWithdrawals, 'id'],
  '/operator/sessions/:day': [consoleSessions.listSessions, 'day'],
  '/operator/ledger/transfers/:id': [consoleLedger.listLedgerTransfers, 'id'],
  '/operator/ledger/transfers/:id/inclusion': [consoleLedger.listLedgerTransfers, 'id'],
};
const pages = allEndpoints
  .map(({ row }) => row)
  .filter(
    ({ method, file, query }) =>
      method === 'GET' && file !== 'application/octet-stream' && (query?.safeParse({}).success ?? true),
  );

type Read = (row: Endpoint, given: Given) => Promise<Outcome>;
type Seen = { readonly life: Life; readonly index: number; readonly must: Lives['must'] };

async function readPages(rows: readonly Endpoint[], read: Read, { life, index, must }: Seen) {
  for (const row of rows) {
    const [list, name = ''] = lists[row.path] ?? [];
    const items: Record<string, string>[] = list === undefined ? [] : must(await read(list, {})).items;
    const id = row.path.startsWith('/operator/members/:id') ? String(life.memberId) : pick(items, index)?.[name];
    if (!row.path.includes(':')) await read(row, {});
    else if (id !== undefined) await read(row, { id });
  }
}

/** All pages of a member and of operators can be read, and are what the contract says. */
async function lookAround(world: Lives, life: Life, index: number) {
  const { as, by, must, finance, admins } = world;
  const forMember = (row: Endpoint) => row.access === 'member' || row.access === 'public';
  const isIn = (row: Endpoint, role: 'finance' | 'admin') => Array.isArray(row.access) && row.access.includes(role);
  if (!life.isClosed) {
    await readPages(pages.filter(forMember), (row, given) => as(life, row, given), { life, index, must });
    await compareStatement(world, life);
    await comparePortfolio(world, life);
    await compareIncomes(world, life);
    await compareBooks(world, life);
    await compareMember(world, life);
    await compareTrades(world, life);
  }
  await compareQueues(world);
  await compareSessions(world);
  const ofFinance = pages.filter((row) => isIn(row, 'finance'));
  const ofAdmin = pages.filter((row) => isIn(row, 'admin') && !isIn(row, 'finance'));
  await readPages(ofFinance, (row, given) => by(finance[0], row, given), { life, index, must });
  await readPages(ofAdmin, (row, given) => by(admins[0], row, given), { life, index, must });
}
export const look = step('look', fc.record({ who: which, index: which }), async (world, { who, index }) => {
  const life = pick(world.lives, who);
  if (life !== undefined) await lookAround(world, life, index);
});
