import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { StatementFinding } from '#contract/operator/statement.ts';
import { findRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { post, verifyLedger } from '#server/ledger/index.ts';
import { getOverview } from '#server/operator/get-overview.ts';
import { mountTreasury } from '#server/solvency/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { isKilled, KillAt, killedContext } from '#test/database/kill-at.ts';
import { moveCoins, placeOrder, toUnits } from '#test/fake-servers/exchange-orders.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { testApp } from '#test/worlds/app.ts';
import { openExchangeWorld, readHolding, venueResult } from '#test/worlds/exchange-world.ts';
import { makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import type { Venue } from '../execution/venue-port.ts';
import { mountTradingConsole, reportVenue } from '../index.ts';
import { importStatement, importWhenDue } from './import-statement.ts';

/** A session at Kraken, which lists fees, with money that two operators recorded, and what nobody recorded. */
const world = closeAfterAll(
  await openExchangeWorld({
    exchange: 'kraken',
    candle: () => still('50000'),
    dollars: 20_000,
    minutes: 3000,
    balances: { USD: '0' },
  }),
);
const app = closeAfterAll(await testApp(world.context, mountTradingConsole, mountTreasury));
const capital = {
  from: { class: 'gateway' },
  to: { class: 'adjustments' },
  reason: 'capital_in',
  amountMicros: 400_000_000_000n,
} as const;
await inTransaction(world.context.db, (tx) =>
  post(tx, [{ ...capital, key: 'test/capital', reference: 'test', marketAt: world.context.now() }]),
);
let { support, finance, second } = await signIn();

async function signIn() {
  const make = (role: OperatorRole) => makeOperator(world.context, role);
  return { support: await make('support'), finance: await make('finance'), second: await make('finance') };
}

const at = () => world.clock.now().getTime();
const ask = (method: 'GET' | 'POST', who: TestOperator, path: string, body?: object) =>
  app.ask(method, `operator/${path}`, { token: who.token, ...(body && { body }) });

async function recordMove(kind: 'venue_fund' | 'venue_return', amount: number, transaction: string) {
  const body = { kind, amount, transaction, reason: 'Money for the session.' };
  const { data } = (await ask('POST', finance, 'treasury/moves', body)).body;
  const approval = { version: 1, otp: await second.code() };
  expect((await ask('POST', second, `treasury/moves/${data.id}/approve`, approval)).status).toBe(200);
}

const importNow = () => importStatement(world.context, world.venue);
const findings = async (state: StatementFinding['state'] = 'open'): Promise<StatementFinding[]> =>
  (await ask('GET', support, `venue/statement/findings?state=${state}&limit=100`)).body.data.items;
const describeOpen = async () =>
  (await findings()).map(({ kind, line, booking }) => [
    kind,
    line?.word ?? booking?.kind,
    line?.amount ?? line?.quantity ?? booking?.amount ?? booking?.quantity,
  ]);
const propose = (finding: StatementFinding, how: 'booked' | 'explained', who = finance) =>
  ask('POST', who, 'venue/statement/settlements', { finding_id: finding.id, how, reason: 'Checked at the exchange.' });
const approve = async (id: string, who = second) =>
  ask('POST', who, `venue/statement/settlements/${id}/approve`, { version: 1, otp: await who.code() });
const settle = async (finding: StatementFinding, how: 'booked' | 'explained') => {
  const proposed = await propose(finding, how);
  expect(proposed.status).toBe(200);
  return approve(proposed.body.data.id);
};
const snapshot = () => findRow(world.context.db)`
    select (select count(*)::int from trading.statement_line) as lines, (select count(*)::int from trading.statement_match) as matches,
      (select json_agg(f order by f.id) from trading.statement_finding f) as findings`;
const differences = async () => {
  const { lines, findings: all, openEntries } = await reportVenue(world.context, world.venue);
  return { lines: lines.filter(({ difference }) => Math.abs(Number(difference)) > 1e-3), all, openEntries };
};

test('of a session everything that we booked is matched, and the rest is listed', async () => {
  const { node } = world;
  moveCoins(node.account, { kind: 'deposit', coin: 'USD', amount: '100000', at: at(), transaction: 'FTQ-000001' });
  moveCoins(node.account, { kind: 'deposit', coin: 'USD', amount: '50000', at: at(), transaction: 'FTQ-000002' });
  // The first under the exchange's own name, in other letters; the second under the bank's.
  await recordMove('venue_fund', 100_000, 'ftq-000001');
  await recordMove('venue_fund', 50_000, 'bank-2026-17');
  Object.assign(node.account.book, { pieces: 2, slippageBps: 4n });
  await world.place({ amount: 10_000 });
  await world.goTo('13:00:00');
  await world.closeSession();
  world.clock.advance(7200);
  expect(await describeOpen()).toEqual([]);
  moveCoins(node.account, { kind: 'other', coin: 'USD', amount: '-1.2345678', at: at() });
  world.clock.advance(1);
  placeOrder(node.account, node.market, {
    ...{
      symbol: node.nameOf('btc'),
      clientId: 'by-hand',
      side: 'BUY',
      quantity: toUnits('0.1'),
      limit: toUnits('51000'),
    },
  });
  world.clock.advance(1);
  moveCoins(node.account, { kind: 'deposit', coin: 'USD', amount: '777', at: at(), transaction: 'FTQ-000003' });
  world.clock.advance(7200);
  await importNow();
  expect(await describeOpen()).toEqual([
    ['unmatched', 'rollover', '-1.23456780'],
    ['unmatched', 'trade', '0.05000000'],
    ['unmatched', 'trade', '0.05000000'],
    ['unmatched', 'deposit', '777.00000000'],
  ]);
  const { rows } = await sql<{ fills: number; transfers: number; ours: number }>`
    select count(m.batch_id)::int as fills, count(m.transfer_id)::int as transfers, (select count(*)::int from trading.batch_fill) as ours
    from trading.statement_match m`.execute(world.context.db);
  expect(rows).toEqual([{ fills: rows[0]?.ours, transfers: 2, ours: rows[0]?.ours }]);
  expect(rows[0]?.ours).toBeGreaterThan(4);
  expect((await getOverview(world.context)).queues.statement).toMatchObject({ count: 4 });
});

test('a second import changes nothing', async () => {
  const before = await snapshot();
  world.clock.advance(60);
  await importNow();
  expect(await snapshot()).toEqual(before);
  const { body } = await ask('GET', support, 'venue/statement');
  expect(body.data).toMatchObject({ exchange: 'kraken', open: 4, asked: false, fault: null });
  expect(body.data.imports.map((one: { new_lines: number }) => one.new_lines > 0)).toEqual([false, true]);
});

test('who may: roles, own proposals, what is not there, what cannot be booked', async () => {
  const [fee, , , deposit] = await findings();
  const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
  expect((await propose(fee as StatementFinding, 'booked', support)).status).toBe(403);
  expect((await ask('POST', support, 'venue/statement/import', {})).status).toBe(403);
  expect((await app.ask('GET', 'operator/venue/statement')).status).toBe(401);
  expect(codeOf(await propose({ ...(fee as StatementFinding), id: '99999' }, 'explained'))).toEqual([404, 'not_found']);
  expect(codeOf(await propose(deposit as StatementFinding, 'booked'))).toEqual([409, 'statement_not_bookable']);
  expect(
    (await ask('POST', finance, 'venue/statement/settlements', { finding_id: 'x', how: 'gone', reason: '' })).status,
  ).toBe(422);
  const proposed = await propose(deposit as StatementFinding, 'explained');
  expect(proposed.body.data).toMatchObject({
    reference: expect.stringMatching(/^SL-/),
    how: 'explained',
    transfer_id: null,
  });
  expect(codeOf(await propose(deposit as StatementFinding, 'explained'))).toEqual([409, 'statement_proposed']);
  expect(codeOf(await approve(proposed.body.data.id, finance))).toEqual([403, 'own_proposal']);
  expect(codeOf(await approve('99999'))).toEqual([404, 'not_found']);
  expect((await findings()).find(({ id }) => id === deposit?.id)?.settlement).toBe(proposed.body.data.reference);
  expect(
    (
      await ask('POST', second, `venue/statement/settlements/${proposed.body.data.id}/reject`, {
        version: 1,
        reason: 'No.',
      })
    ).status,
  ).toBe(200);
  expect(await findings()).toHaveLength(4);
});

test('a fee and an order made by hand are booked by two, once, and the report agrees', async () => {
  const { context } = world;
  const before = await differences();
  expect(before.openEntries).toBe(4n);
  expect(before.lines.map(({ coin }) => coin)).toEqual(['USD', 'BTC']);
  const result = await venueResult(context);
  const [fee, first, other] = (await findings()) as [StatementFinding, StatementFinding, StatementFinding];
  expect([fee, first, other].map(({ bookable }) => bookable)).toEqual([true, true, true]);
  expect((await settle(fee, 'booked')).body.data).toMatchObject({ state: 'posted', transfer_id: expect.any(String) });
  expect(await venueResult(context)).toBe(result - 1_234_568n);
  const { id } = (await propose(first, 'booked')).body.data;
  const setState = (state: 'sent' | 'booked', when: Date | null) =>
    sql`update trading.batch set state = ${state}, booked_at = ${when}, filled_at = ${when}, digested_on = ${when}::timestamptz::date
      where id = (select max(id) from trading.batch where symbol = 'btc')`.execute(context.db);
  await setState('sent', null);
  expect((await approve(id)).body.code).toBe('batch_under_way');
  await setState('booked', context.now());
  expect((await approve(id)).status).toBe(200);
  expect((await settle(other, 'booked')).status).toBe(200);
  expect(Number((await readHolding(context, 'btc'))?.held)).toBeGreaterThan(0.0999);
  expect(await verifyLedger(context.db)).toEqual([]);
  expect((await propose(fee, 'explained')).body.code).toBe('statement_settled');
  expect((await findings('booked')).map(({ settlement }) => settlement?.slice(0, 3))).toEqual(['SL-', 'SL-', 'SL-']);
  const after = await differences();
  // Only the deposit that nobody recorded is left.
  expect(after.lines.map(({ coin, difference }) => [coin, Math.round(Number(difference))])).toEqual([['USD', 777]]);
  const kept = await snapshot();
  world.clock.advance(60);
  await importNow();
  expect(await snapshot()).toEqual(kept);
});

/** Ends an import before a step of it: a call to the exchange before it leaves or after it was answered, or a query. */
function killImport(at: number): Promise<boolean> {
  const kill = new KillAt(at);
  const venue: Venue = {
    ...world.venue,
    listStatement: (...period) => kill.call(() => world.venue.listStatement(...period)),
  };
  return isKilled(() => importStatement(killedContext(world.context, kill), venue));
}

test('killed before any of its steps an import leaves nothing, and the next one is whole', async () => {
  moveCoins(world.node.account, { kind: 'deposit', coin: 'USD', amount: '3', at: at(), transaction: 'FTQ-000004' });
  world.clock.advance(60);
  const before = await snapshot();
  let step = 0;
  while (await killImport(step)) {
    expect(await snapshot()).toEqual(before);
    step += 1;
  }
  expect(step).toBeGreaterThan(10);
  expect(await describeOpen()).toEqual([
    ['unmatched', 'deposit', '777.00000000'],
    ['unmatched', 'deposit', '3.00000000'],
  ]);
  await recordMove('venue_fund', 3, 'FTQ-000004');
});

test('a treasury move that is recorded later matches what was open', async () => {
  const [deposit] = (await findings()) as [StatementFinding];
  const proposed = await propose(deposit, 'explained');
  await recordMove('venue_fund', 777, 'wire-2026-03');
  world.clock.advance(60);
  await importNow();
  expect(await findings()).toEqual([]);
  expect((await findings('matched')).map(({ id }) => id)).toContain(deposit.id);
  // A link to it does not say in which state it is.
  const one = await ask('GET', support, `venue/statement/findings?id=${deposit.id}`);
  expect(one.body.data.items).toMatchObject([{ id: deposit.id, state: 'matched' }]);
  expect((await approve(proposed.body.data.id)).body.code).toBe('statement_settled');
  expect(await differences()).toMatchObject({ lines: [], all: [], openEntries: 0n });
});

test('two proposals decided by several at once settle an entry once', async () => {
  const { context, node } = world;
  moveCoins(node.account, { kind: 'other', coin: 'USD', amount: '-3', at: at() });
  world.clock.advance(60);
  await importNow();
  const [fee] = (await findings()) as [StatementFinding];
  const proposals = await Promise.all(['booked', 'booked', 'explained'].map((how) => propose(fee, how as 'booked')));
  expect(proposals.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const id = proposals.find(({ status }) => status === 200)?.body.data.id;
  const crew = await Promise.all(Array.from({ length: 4 }, () => makeOperator(context, 'finance')));
  const codes = await Promise.all(crew.map((one) => one.code()));
  const before = await venueResult(context);
  const replies = await Promise.all([
    ...crew.map((one, index) =>
      ask('POST', one, `venue/statement/settlements/${id}/approve`, { version: 1, otp: codes[index] }),
    ),
    importNow(),
    importNow(),
  ]);
  expect(replies.flatMap((reply) => (reply ? [reply.status] : [])).toSorted()).toEqual([200, 409, 409, 409]);
  expect([0n, 3_000_000n]).toContain(before - (await venueResult(context)));
  expect(await findings()).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('what the exchange does not list is missing, until it does', async () => {
  const { node } = world;
  world.clock.advance(86_400);
  ({ support, finance, second } = await signIn());
  await world.goTo('05T12:30:05');
  await world.place({ amount: 2000 });
  await world.goTo('05T12:40:05');
  const [hidden] = node.account.trades.splice(-1);
  await importNow();
  // It may be late.
  expect(await describeOpen()).toEqual([]);
  world.clock.advance(3700);
  await importNow();
  expect(await describeOpen()).toMatchObject([['missing', 'fill', expect.any(String)]]);
  const [missing] = (await findings()) as [StatementFinding];
  // What was bought by hand is a residual, which the batch has sold.
  expect(missing).toMatchObject({ line: null, booking: { symbol: 'btc', side: 'sell' }, bookable: false });
  expect((await propose(missing, 'booked')).body.code).toBe('statement_not_bookable');
  if (hidden !== undefined) node.account.trades.push({ ...hidden, cost: hidden.cost + 1_000_000n });
  world.clock.advance(60);
  await importNow();
  const [differing] = (await findings()) as [StatementFinding];
  expect(differing).toMatchObject({
    id: missing.id,
    kind: 'differs',
    line: { kind: 'fill' },
    booking: { kind: 'fill' },
  });
  expect((await settle(differing, 'explained')).body.data).toMatchObject({ state: 'posted', transfer_id: null });
  expect((await findings('explained')).map(({ id }) => id)).toContain(missing.id);
  const kept = await snapshot();
  world.clock.advance(60);
  await importNow();
  expect(await snapshot()).toEqual(kept);
});

test('a statement that cannot be true is refused whole, and the operators read why', async () => {
  const { context, node } = world;
  const before = await snapshot();
  moveCoins(node.account, { kind: 'other', coin: 'USD', amount: '-5', at: at() });
  world.clock.advance(60);
  for (const lie of [{ fill: { vol: 'NaN' } }, { fill: { vol: '-1' } }, { movement: { amount: 'NaN' } }]) {
    node.lies.push(lie);
    await expect(importNow()).rejects.toMatchObject({ kind: 'unreadable' });
    node.lies.length = 0;
  }
  expect(await snapshot()).toEqual(before);
  expect((await ask('POST', finance, 'venue/statement/import', {})).status).toBe(200);
  const run = () => importWhenDue(context, async () => true, world.venue);
  await run();
  // In a session orders come first.
  expect(await snapshot()).toEqual(before);
  for (const minute of ['25', '26', '27', '28', '29', '30']) await world.goTo(`05T17:${minute}:05`);
  world.clock.advance(86_400);
  ({ support, finance, second } = await signIn());
  node.lies.push({ fill: { vol: 'NaN' } });
  await run();
  const state = async () => (await ask('GET', support, 'venue/statement')).body.data;
  expect(await state()).toMatchObject({ asked: true, fault: expect.stringContaining('fill') });
  node.lies.length = 0;
  await run();
  // Ten minutes later, or when somebody asks again.
  expect(await snapshot()).toEqual(before);
  world.clock.advance(601);
  await run();
  expect(await state()).toMatchObject({ asked: false, fault: null, open: 1 });
  const imports = async () => (await state()).imports[0].id;
  const last = await imports();
  world.clock.advance(60);
  await run();
  expect(await imports()).toBe(last);
});
