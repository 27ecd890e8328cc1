import { plans } from '#contract/endpoints.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { heal } from '#test/worlds/exchange-days.ts';
import { close, listPlans, readWallets, withdraw } from './member-steps.ts';
import {
  approve,
  lift,
  listRequested,
  listReviewed,
  loosen,
  rejectLeft,
  reviewDeposit,
  switchPayouts,
} from './operator-steps.ts';
import type { Lives } from './world.ts';

const { minimumDollars: MINIMUM, dayLimitDollars: MOST } = withdrawalRules;

/** Everything works again, and nobody is restricted. */
export async function healAll(world: Lives) {
  world.setWorkers('one');
  if (world.sessions !== undefined) await heal({ ...world.sessions, members: [] });
  await lift(world);
  await switchPayouts(world, false);
  await rejectLeft(world);
  for (const { memberId, isClosed } of world.lives) {
    if (isClosed) continue;
    await loosen(world, memberId, 'unfreeze', 'approve');
    await loosen(world, memberId, 'lift_withdrawal_stop', 'approve');
  }
}

/**
 * Takes out what can be taken out, and closes each account once nothing else is left.
 * @returns why those that are still open could not be closed
 */
export async function leave(world: Lives): Promise<string[]> {
  for (const one of await listReviewed(world)) await reviewDeposit(world, one, false);
  const open = world.lives.filter(({ isClosed }) => !isClosed);
  for (const life of open) {
    for (const { id } of await listPlans(world, life)) await world.as(life, plans.redeemPlan, { id });
    const wallets = await readWallets(world, life);
    for (const from of ['primary', 'profit'] as const)
      if (wallets[from] >= MINIMUM) await withdraw(world, life, Math.min(wallets[from], MOST), from);
  }
  for (const { id } of await listRequested(world)) await approve(world, id);
  await world.wait(3, 1);
  const bars: string[] = [];
  for (const life of open) {
    const bar = await close(world, life);
    if (!life.isClosed) bars.push(`${life.email}: ${bar}`);
  }
  return bars;
}
