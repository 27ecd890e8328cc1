import { expect, test } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, success, testApp } from '#test/worlds/app.ts';

import { makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { openTradingWorld } from '#test/worlds/trading-world.ts';
import { mountTrading, mountTradingConsole } from '../index.ts';

const { context } = closeAfterAll(await openTradingWorld());
const app = closeAfterAll(await testApp(context, mountTrading, mountTradingConsole));
const support = await makeOperator(context, 'support');
const [finance, second] = [await makeOperator(context, 'finance'), await makeOperator(context, 'finance')];
const send = ({ token }: TestOperator, method: 'GET' | 'POST', url: string, body?: unknown) =>
  app.ask(method, url, { token, body });
const at = 'operator/asset-limits';

const wanted = { trade: 1000, member: 5000, all: 20_000 };
const limitsOf = async (symbol: string) =>
  (await app.ask('GET', 'trading/limits')).body.data.items.find((line: { symbol: string }) => line.symbol === symbol);
const versionOf = async (symbol: string): Promise<number> => {
  const [row] = await listRows(context.db)<{ version: number }>`
    select version from trading.asset_limit where symbol = ${symbol}`;
  return row?.version ?? 1;
};
const propose = async (symbol: string, more: object = {}, who: TestOperator = finance) =>
  send(who, 'POST', at, { symbol, version: await versionOf(symbol), ...wanted, reason: 'A thin book.', ...more });
const decide = async (id: string, verb: 'approve' | 'reject' | 'withdraw', who: TestOperator, version = 1) =>
  send(who, 'POST', `${at}/${id}/${verb}`, {
    version,
    ...(verb === 'approve' && { otp: await who.code() }),
    ...(verb === 'reject' && { reason: 'Too tight.' }),
  });

test('limits take two: proposed they change nothing, approved they hold at once and are in the audit log', async () => {
  const made = await propose('doge');
  expect(made).toMatchObject(
    success({ symbol: 'doge', state: 'proposed', limits: wanted, before: { trade: null, member: null, all: null } }),
  );
  const { id, reference } = made.body.data;
  expect(reference).toMatch(/^AL-/);
  expect(await limitsOf('doge')).toEqual({ symbol: 'doge', trade: null, member: null, all: null });
  expect((await send(support, 'GET', `${at}?state=proposed`)).body.data.items).toMatchObject([{ id, reference }]);
  expect(await decide(id, 'approve', finance)).toMatchObject(refusal(403, 'own_proposal'));
  expect(await decide(id, 'approve', support)).toMatchObject(refusal(403, 'not_allowed'));
  expect(await decide(id, 'approve', second, 7)).toMatchObject(refusal(409, 'proposal_changed'));
  expect(await decide(id, 'approve', second)).toMatchObject({ status: 200, body: { data: { state: 'posted' } } });
  expect(await limitsOf('doge')).toEqual({ symbol: 'doge', ...wanted });
  expect(await decide(id, 'approve', second)).toMatchObject(refusal(409, 'proposal_decided'));
  expect(
    await listRows(context.db)`
      select action, actor_id, before, after from audit.entry
      where subject in ('asset:doge', ${`asset_limits:${id}`}) order by id`,
  ).toMatchObject([
    { action: 'asset_limits.propose', actor_id: finance.operatorId, after: { symbol: 'doge', reason: 'A thin book.' } },
    {
      action: 'asset.limits',
      actor_id: second.operatorId,
      before: { trade: null, member: null, all: null },
      after: { ...wanted, why: 'A thin book.' },
    },
    { action: 'asset_limits.approve', actor_id: second.operatorId, after: { state: 'posted', symbol: 'doge' } },
  ]);
  const { items } = (await send(support, 'GET', 'operator/assets')).body.data;
  expect(items.find((asset: { symbol: string }) => asset.symbol === 'doge')).toMatchObject({
    limits: { version: 2, ...wanted, half_depth: null },
  });
});

test('what was decided about since it was proposed is not replaced by it', async () => {
  const [first, late] = [await propose('xrp'), await propose('xrp', { trade: 500 })];
  await decide(first.body.data.id, 'approve', second);
  expect(await decide(late.body.data.id, 'approve', second)).toMatchObject(refusal(409, 'limits_changed'));
  expect(await limitsOf('xrp')).toMatchObject(wanted);
  expect(await decide(late.body.data.id, 'withdraw', second)).toMatchObject(refusal(403, 'not_allowed'));
  expect(await decide(late.body.data.id, 'withdraw', finance)).toMatchObject({
    body: { data: { state: 'withdrawn' } },
  });
  expect(await propose('xrp', { version: 1 })).toMatchObject(refusal(409, 'limits_changed'));
  expect(await propose('xrp')).toMatchObject(refusal(409, 'limits_unchanged'));
});

test('rejected, it says why and changes nothing; null takes a limit away', async () => {
  const { id } = (await propose('ltc', { trade: null })).body.data;
  expect(await decide(id, 'reject', second)).toMatchObject({
    body: { data: { state: 'rejected', note: 'Too tight.' } },
  });
  expect(await limitsOf('ltc')).toMatchObject({ trade: null, member: null });
  const again = (await propose('ltc', { trade: null, all: null })).body.data;
  await decide(again.id, 'approve', second);
  expect(await limitsOf('ltc')).toEqual({ symbol: 'ltc', trade: null, member: 5000, all: null });
});

test.each([
  [{ trade: 0 }, 'trade'],
  [{ trade: '100' }, 'trade'],
  [{ member: -1 }, 'member'],
  [{ all: 1.0000001 }, 'all'],
  [{ trade: 6000 }, 'trade'],
  [{ all: 4000 }, 'all'],
  [{ member: null, all: 900 }, 'all'],
  [{ trade: undefined }, 'trade'],
  [{ reason: ' ' }, 'reason'],
  [{ symbol: 'B T C' }, 'symbol'],
])('%j is refused with its field', async (more, field) => {
  const refused = await propose('eth', more);
  expect(refused).toMatchObject(refusal(422, 'validation'));
  expect(refused.body.validation_results[0]).toMatchObject({ field });
});

test('is proposed by finance and admins, about assets that there are', async () => {
  expect(await propose('eth', {}, support)).toMatchObject(refusal(403, 'not_allowed'));
  expect(await propose('xyz')).toMatchObject(refusal(404, 'asset_not_found'));
  expect(await decide('999999', 'approve', second)).toMatchObject(refusal(404, 'not_found'));
});
