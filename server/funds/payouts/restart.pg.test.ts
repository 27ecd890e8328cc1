import { type KyselyPlugin, type PluginTransformQueryArgs, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { closeAfterAll } from '#test/close-after-all.ts';
import type { Gateway, Payout, PayoutOrder } from '../gateways/gateway.ts';
import { approveWithdrawal } from '../review/approve-withdrawal.ts';
import { deciderOf, openOfficeWorld } from '../review/review-world.test-setup.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';
import { followPayouts } from './follow-payouts.ts';
import { payWithdrawals } from './pay-withdrawals.ts';

const world = closeAfterAll(await openOfficeWorld());
const memberId = await world.addWithdrawer();

class Killed extends Error {}

/** Ends the worker, as far as the database and the gateway can tell, at the n-th of its steps: nothing happens after it. */
class KillAt implements KyselyPlugin {
  left: number;
  constructor(steps: number) {
    this.left = steps;
  }
  step(): void {
    this.left -= 1;
    if (this.left < 0) throw new Killed();
  }
  transformQuery({ node }: PluginTransformQueryArgs) {
    this.step();
    return node;
  }
  transformResult: KyselyPlugin['transformResult'] = async ({ result }) => result;
}

type Books = (Payout & { readonly reference: string })[];

/** A gateway that is another party: its books stay when the worker dies before, during or after a call. */
function gatewayOf(books: Books, kill: KillAt): Gateway {
  const call = <T>(work: () => T): Promise<T> => {
    kill.step();
    const answer = work();
    kill.step();
    return Promise.resolve(answer);
  };
  const order = ({ reference }: PayoutOrder): Payout => {
    const payout = { id: `payout-${reference}-${books.length}`, state: 'completed', transaction: 'abcdef' } as const;
    books.push({ ...payout, reference });
    return payout;
  };
  return {
    ...world.gateway,
    createPayout: (wanted) => call(() => order(wanted)),
    findPayout: (reference) => call(() => books.find((payout) => payout.reference === reference)),
    getPayout: (payoutId) => call(() => books.find((payout) => payout.id === payoutId)),
  };
}

async function approve(): Promise<WithdrawalRow> {
  const { id } = await world.addRequested(10, { memberId });
  return approveWithdrawal(world.context, deciderOf(world.finance), await world.seen(id));
}

/** Pays and follows as the jobs do, until the worker is killed; false when it came to the end. */
async function workUntilKilled(context: Context, gateway: Gateway): Promise<boolean> {
  try {
    await payWithdrawals(context, [gateway]);
    world.clock.advance(5);
    await followPayouts(context, [gateway]);
    return false;
  } catch {
    return true;
  }
}

test('a worker killed at any of its queries or calls leaves no second payout, and every hold where it belongs', {
  timeout: 120_000,
}, async () => {
  const books: Books = [];
  const never = new KillAt(Number.POSITIVE_INFINITY);
  const ends: string[] = [];
  for (let steps = 0, isKilled = true; isKilled; steps += 1) {
    const { id, reference } = await approve();
    const kill = new KillAt(steps);
    const dying = { ...world.context, db: world.context.db.withPlugin(kill) };
    isKilled = await workUntilKilled(dying, gatewayOf(books, kill));
    // Nobody knows of the dead one; whoever comes next finds what it left behind.
    world.clock.advance(60);
    for (let round = 0; round < 3; round += 1) {
      await followPayouts(world.context, [gatewayOf(books, never)]);
      await payWithdrawals(world.context, [gatewayOf(books, never)]);
      world.clock.advance(600);
    }
    const payouts = books.filter((payout) => payout.reference === reference);
    const { state, payout_id } = await world.withdrawal(id);
    ends.push(`${state} with ${payouts.length}`);
    if (payouts.length > 0) expect(payout_id, `killed at step ${steps}`).toBe(payouts[0]?.id);
    world.clock.advance(24 * 3600);
  }
  // Claimed but not ordered: a person decides. All else is paid, once.
  expect([...new Set(ends)].sort()).toEqual(['completed with 1', 'uncertain with 0']);
  expect(ends.length).toBeGreaterThan(30);
  expect(await world.findings()).toEqual([]);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from funds.withdrawal where state = 'uncertain'`.execute(world.context.db);
  expect(rows[0]?.n).toBe(ends.filter((end) => end.startsWith('uncertain')).length);
});
