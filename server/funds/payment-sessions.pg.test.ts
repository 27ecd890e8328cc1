import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findDiscrepancies } from '#server/operator/index.ts';
import { runs } from '#test/kit/property-runs.ts';
import { findPayouts, isFinal, settle, walk } from './payment-sessions.test-setup.ts';
import { listDeposits, listWithdrawals, openPaymentWorld } from './payment-world.test-setup.ts';

/** The same examples in each run; another number plays others. */
const SEED = 46;

test('whatever payers, gateways, members and operators do, everything ends, and each amount is paid and booked once', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(walk, async (steps) => {
      const world = await openPaymentWorld();
      const { context } = world;
      try {
        for (const { take } of steps) await take(world);
        expect(await findDiscrepancies(context)).toEqual([]);
        await settle(world);
        const withdrawals = await listWithdrawals(context);
        const paid = withdrawals.map((row) => {
          const times = findPayouts(world, row).all.filter(({ transaction }) => transaction !== null).length;
          return { reference: row.reference, state: row.state, times: times + Number(world.paidByHand.has(row.id)) };
        });
        for (const one of paid) expect({ ...one, times: one.state === 'completed' ? 1 : 0 }).toEqual(one);
        const open = withdrawals.filter(({ state }) => !isFinal(state));
        expect(open).toEqual([]);
        const deposits = await listDeposits(context);
        expect(
          deposits.filter(({ state }) => !['credited', 'expired', 'failed', 'rejected', 'refunded'].includes(state)),
        ).toEqual([]);
        expect(await findDiscrepancies(context)).toEqual([]);
        const { rows } = await sql`
          select f.gateway, f.about, f.kind, f.listed, f.booked, f.reference from funds.gateway_finding f where f.state = 'open'`.execute(
          context.db,
        );
        expect(rows).toEqual([]);
      } finally {
        await world.close();
      }
    }),
    { numRuns: runs(12), seed: SEED, endOnFailure: true },
  );
});
