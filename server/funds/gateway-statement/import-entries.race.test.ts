import { beforeEach, expect, test } from 'vitest';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, codeOf } from '#test/kit/at-once.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { openFundsWorld } from '../funds-world.test-setup.ts';
import type { GatewayEntry } from '../gateways/gateway.ts';
import { explainFinding, importEntriesWhenDue, requestImport } from './import-entries.ts';
import { getGatewayStatement, listGatewayFindings } from './show-entries.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const world = closeAfterAll(await openFundsWorld());
const { context, clock } = world;
const actor = actorOf(await makeOperator(context, 'finance'));

let entries: GatewayEntry[] = [];
let asked: { from: Date; to: Date }[] = [];
let isAway = false;
const gateway = {
  ...world.gateway,
  listEntries: async (from: Date, to: Date) => {
    asked.push({ from, to });
    if (isAway) throw new Refused('gateway_unavailable');
    return entries;
  },
};
beforeEach(async () => {
  entries = [];
  asked = [];
  isAway = false;
  await world.database.runScript('delete from funds.gateway_finding; delete from funds.gateway_statement');
});

const importNow = () => importEntriesWhenDue(context, [gateway]);
const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000);
const entry = (given: Partial<GatewayEntry> = {}): GatewayEntry => ({
  kind: 'other',
  id: 'x',
  about: 'transaction/ab',
  at: ago(4 * HOUR),
  asset: 'USDT',
  units: '5',
  ...given,
});
const list = async (state: 'open' | 'explained' | 'matched') =>
  (await listGatewayFindings(context, { state, limit: 10 })).items;
const explain = async () => {
  const [{ id, listed, booked }] = (await list('open')) as [Awaited<ReturnType<typeof list>>[number]];
  return () => explainFinding(context, actor, { id: BigInt(id), reason: 'Known.', listed, booked });
};

test('a statement reaches back three days before the last one, or ninety, and what was read before stays covered', async () => {
  await importNow();
  const [first] = asked;
  expect(first?.from).toEqual(ago(3 * DAY));
  clock.advance(DAY - 1);
  expect(await importNow()).toBe(0);
  clock.advance(1);
  await importNow();
  expect(asked[1]).toEqual({ from: ago(4 * DAY), to: clock.now() });
  clock.advance(200 * DAY);
  await importNow();
  expect(asked[2]?.from).toEqual(ago(90 * DAY));
  const { gateways } = await getGatewayStatement(context, [gateway]);
  expect(gateways).toMatchObject([{ covered_from: first?.from.toISOString() }]);
});

test.each([0, 1])(
  'an import that an operator asks for after %i others is tried at once, again ten minutes after it failed, and no more',
  async (before) => {
    for (let imported = 0; imported < before; imported += 1) await importNow();
    asked = [];
    clock.advance(1);
    isAway = true;
    await requestImport(context, actor, [gateway]);
    expect((await getGatewayStatement(context, [gateway])).gateways).toMatchObject([{ asked: true }]);
    for (let looked = 0; looked < 3; looked += 1) expect(await importNow()).toBe(0);
    expect(asked).toHaveLength(1);
    clock.advance(600);
    isAway = false;
    expect(await importNow()).toBe(1);
    expect(await importNow()).toBe(0);
  },
);

test('a gateway that does not respond to its first import is shown with the fault', async () => {
  isAway = true;
  expect(await importNow()).toBe(0);
  const { gateways } = await getGatewayStatement(context, [gateway]);
  expect(gateways).toMatchObject([{ covered_to: null, fault: 'The gateway did not respond.' }]);
});

test('a movement that its payment may still follow is no finding for three hours', async () => {
  entries = [entry({ at: clock.now() })];
  await importNow();
  expect(await list('open')).toEqual([]);
  clock.advance(DAY);
  await importNow();
  expect(await list('open')).toMatchObject([{ kind: 'unmatched', listed: '5' }]);
});

test('what was explained is open again when the same amount is of another coin', async () => {
  entries = [entry()];
  await importNow();
  const close = await explain();
  await close();
  entries = [entry({ asset: 'BTC' })];
  clock.advance(DAY);
  await importNow();
  expect(await list('explained')).toEqual([]);
  expect(await list('open')).toMatchObject([{ asset: 'BTC', explanation: null }]);
});

test('open findings are listed oldest first, explained ones newest first, page by page', async () => {
  entries = ['a', 'b', 'c'].map((id) => entry({ id, about: `transaction/${id}` }));
  await importNow();
  const read = async (state: 'open' | 'explained') => {
    const first = await listGatewayFindings(context, { state, limit: 2 });
    const cursor = first.next_cursor ?? '';
    return [first, await listGatewayFindings(context, { state, limit: 2, cursor })].map(({ items }) =>
      items.map(({ about_id }) => about_id).join(''),
    );
  };
  expect(await read('open')).toEqual(['ab', 'c']);
  for (const _ of entries) await (await explain())();
  expect(await read('explained')).toEqual(['cb', 'a']);
});

test('an explanation of another booked sum is refused', async () => {
  entries = [entry()];
  await importNow();
  const [{ id, listed }] = (await list('open')) as [Awaited<ReturnType<typeof list>>[number]];
  const seen = { id: BigInt(id), reason: 'Known.', listed, booked: '4' };
  expect(await codeOf(explainFinding(context, actor, seen))).toBe('statement_changed');
});

test('a finding explained five times at once has one explanation', async () => {
  entries = [entry()];
  await importNow();
  const close = await explain();
  const { done, refused } = await atOnce([close, close, close, close, close]);
  expect(done).toHaveLength(1);
  expect(refused).toEqual(Array(4).fill('statement_settled'));
});
