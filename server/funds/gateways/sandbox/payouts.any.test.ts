import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openFundsWorld, usd } from '../../funds-world.test-setup.ts';
import { sandboxPayouts } from './payouts.ts';

const world = closeAfterAll(await openFundsWorld());

const order = (reference: string) =>
  ({
    reference,
    network: 'BTC',
    address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    amountMicros: usd(99),
    units: null,
  }) as const;

test('a payout waits five seconds and is completed by the next read, with the same hash for all', async () => {
  const payouts = sandboxPayouts(world.context);
  const made = await payouts.createPayout(order('WD-AAAAAA'));
  expect(made).toMatchObject({ state: 'waiting', transaction: null });
  world.clock.advance(4.999);
  expect(await payouts.getPayout(made.id, order('WD-AAAAAA'))).toEqual(made);
  world.clock.advance(0.001);
  const looks = await Promise.all([
    payouts.getPayout(made.id, order('WD-AAAAAA')),
    payouts.findPayout(order('WD-AAAAAA')),
  ]);
  expect(looks[0]).toMatchObject({
    id: made.id,
    state: 'completed',
    transaction: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(looks[1]).toEqual(looks[0]);
});

test('like real gateways it takes an order twice, and finds the first by its reference', async () => {
  const payouts = sandboxPayouts(world.context);
  const first = await payouts.createPayout(order('WD-BBBBBB'));
  world.clock.advance(1);
  const again = await payouts.createPayout(order('WD-BBBBBB'));
  expect(again.id).not.toBe(first.id);
  expect((await payouts.findPayout(order('WD-BBBBBB')))?.id).toBe(first.id);
});

test('knows nothing of what was never ordered, and leaves what was cancelled', async () => {
  const payouts = sandboxPayouts(world.context);
  expect([await payouts.findPayout(order('WD-CCCCCC')), await payouts.getPayout('none', order('WD-CCCCCC'))]).toEqual([
    undefined,
    undefined,
  ]);
  const { id } = await payouts.createPayout(order('WD-DDDDDD'));
  await sql`update funds.sandbox_payout set state = 'Cancelled' where id = ${id}`.execute(world.context.db);
  world.clock.advance(60);
  expect(await payouts.getPayout(id, order('WD-DDDDDD'))).toMatchObject({ state: 'cancelled', transaction: null });
  expect(['TRC20', 'BEP20', 'ERC20', 'BTC'].every((network) => payouts.canPay(network as 'BTC'))).toBe(true);
});
