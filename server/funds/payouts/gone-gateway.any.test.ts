import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openOfficeWorld, watched } from '../review/review-world.test-setup.ts';
import { followPayouts } from './follow-payouts.ts';
import { payWithdrawals } from './pay-withdrawals.ts';

const world = closeAfterAll(await openOfficeWorld());

test('a payout at a gateway that is not configured is uncertain a week later also while another gateway fails', async () => {
  const { context, gateway, clock } = world;
  const left = await world.addApproved(100);
  await payWithdrawals(context, [gateway]);
  await sql`update funds.withdrawal set gateway = 'btcpay' where id = ${left.id}`.execute(context.db);
  clock.advance(7 * 24 * 3600);
  await world.addApproved(100);
  await payWithdrawals(context, [gateway]);
  clock.advance(60);
  const away = watched(gateway, { getPayout: () => Promise.reject(new Refused('gateway_unavailable')) });
  await expect(followPayouts(context, [away])).rejects.toThrow('Payouts that could not be followed');
  expect(await world.withdrawal(left.id)).toMatchObject({ state: 'uncertain' });
});
