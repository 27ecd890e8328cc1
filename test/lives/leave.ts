import { heal } from '#test/worlds/exchange-days.ts';
import { close, empty } from './member-steps.ts';
import {
  approve,
  lift,
  listRequested,
  listReviewed,
  loosen,
  rejectLeft,
  resolveUncertain,
  reviewDeposit,
  switchPayouts,
} from './operator-steps.ts';
import { compareTrades } from './trades.ts';
import type { Lives } from './world.ts';

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
  await resolveUncertain(world);
  const open = world.lives.filter(({ isClosed }) => !isClosed);
  for (const life of open) await empty(world, life);
  for (const { id } of await listRequested(world)) await approve(world, id);
  await world.wait(3, 1);
  const bars: string[] = [];
  for (const life of open) {
    await compareTrades(world, life);
    const bar = await close(world, life);
    if (!life.isClosed) bars.push(`${life.email}: ${bar}`);
  }
  return bars;
}
