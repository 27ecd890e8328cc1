import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { getBalances } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { closeMemberIncomes } from '../close-member.ts';
import { even, periodWorlds, playDay } from '../periods/period-world.test-setup.ts';
import { claimReward } from './claim-reward.ts';
import { payWaitingRewards } from './pay-waiting-rewards.ts';

const worlds = closeAfterAll(periodWorlds());

test('a reward in line that is forfeited while the line is served is not paid', async () => {
  const context = await worlds.open('2026-03-02');
  await addTeam(context, [1n, 1n]);
  await sql`insert into income.reward (member_id, rank, month, nominal) values (2, 1, '2026-02-01', 1000000)`.execute(
    context.db,
  );
  expect(await claimReward(context, 2n, { rank: 'bronze' })).toMatchObject({ state: 'waiting' });
  // A session puts 1.5 $ into the pool and is not followed by a payment, as after a crash.
  await sql`update income.reward set nominal = 100000000`.execute(context.db);
  await playDay(context, '2026-03-04', [even(3n, 7500)]);
  await sql`update income.reward set nominal = 1000000`.execute(context.db);
  let paying: Promise<void> = Promise.resolve();
  await inTransaction(context.db, async (tx) => {
    await closeMemberIncomes(tx, 2n);
    paying = payWaitingRewards(context);
    await waitFor(async () => (await countLockWaits(context.db)) > 0, 'the payment waits for the line');
  });
  await paying;
  expect((await getBalances(context.db, 2n)).profit).toBe(0n);
});
