import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { listRows } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { KillAt, killedContext } from '#test/database/kill-at.ts';
import { nowpaymentsPayerEnv, startNowpayments } from '#test/fake-servers/nowpayments.ts';
import { testConfig } from '#test/worlds/builders.ts';
import { actorOf } from '#test/worlds/operators.ts';
import type { Gateway, Payout } from '../gateways/gateway.ts';
import { nowpaymentsGateway } from '../gateways/nowpayments/gateway.ts';
import { approveWithdrawal } from '../review/approve-withdrawal.ts';
import { openOfficeWorld } from '../review/review-world.test-setup.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal.ts';
import { followPayouts } from './follow-payouts.ts';
import { payWithdrawals } from './pay-withdrawals.ts';

const world = closeAfterAll(await openOfficeWorld());

/** A gateway is a separate system: its records survive when the worker dies before or after a call. */
const dying = (gateway: Gateway, kill: KillAt): Gateway => ({
  ...gateway,
  createPayout: (wanted) => kill.call(() => gateway.createPayout(wanted)),
  findPayout: (wanted, since) => kill.call(() => gateway.findPayout(wanted, since)),
  getPayout: (payoutId, wanted) => kill.call(() => gateway.getPayout(payoutId, wanted)),
  confirmPayout: (payoutId, wanted) => kill.call(async () => gateway.confirmPayout?.(payoutId, wanted)),
});

type Party = {
  readonly gateway: Gateway;
  readonly payoutsOf: (reference: string) => readonly { readonly id: string }[];
  /** Completes the payouts that the gateway may pay. */
  readonly settle: () => void;
};

/** Pays orders at once. */
function paysAtOnce(): Party {
  const books: (Payout & { readonly reference: string })[] = [];
  return {
    gateway: {
      ...world.gateway,
      createPayout: async ({ reference }) => {
        const id = `payout-${reference}-${books.length}`;
        const payout = { id, state: 'completed', transaction: 'abcdef', units: null, networkFeeMicros: null } as const;
        books.push({ ...payout, reference });
        return payout;
      },
      findPayout: async ({ reference }) => books.find((payout) => payout.reference === reference),
      getPayout: async (payoutId) => books.find((payout) => payout.id === payoutId),
    },
    payoutsOf: (reference) => books.filter((payout) => payout.reference === reference),
    settle: () => {},
  };
}

const node = closeAfterAll(await startNowpayments(() => world.clock.now().getTime()));

/** Holds orders until they are confirmed. */
function waitsToBeConfirmed(): Party {
  const { made, finish } = node.payouts;
  return {
    gateway: nowpaymentsGateway({ ...world.context, config: testConfig(nowpaymentsPayerEnv(node)) }),
    payoutsOf: (reference) => made.filter((payout) => payout.reference === reference),
    settle: () => {
      for (const { id, status } of made) if (status === 'PROCESSING') finish(id);
    },
  };
}

async function approve(memberId: bigint): Promise<WithdrawalRow> {
  const { id } = await world.addRequested(10, { memberId });
  return approveWithdrawal(world.context, actorOf(world.finance), await world.seen(id));
}

/** Pays and follows payouts like the jobs, until the worker is killed; false when it finished. */
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

test.each([
  ['pays at once', paysAtOnce],
  ['waits to be confirmed', waitsToBeConfirmed],
])(
  'a worker killed at any of its queries or calls to a gateway that %s leaves no second payout, and every hold where it belongs',
  {
    timeout: 120_000,
  },
  async (_, open) => {
    const { gateway, payoutsOf, settle } = open();
    const memberId = await world.addWithdrawer();
    const ends: string[] = [];
    for (let steps = 0, isKilled = true; isKilled; steps += 1) {
      const { id, reference } = await approve(memberId);
      const kill = new KillAt(steps);
      isKilled = await workUntilKilled(killedContext(world.context, kill), dying(gateway, kill));
      // The next worker finds what the dead one left behind.
      world.clock.advance(60);
      for (let round = 0; round < 3; round += 1) {
        await followPayouts(world.context, [gateway]);
        await payWithdrawals(world.context, [gateway]);
        settle();
        world.clock.advance(600);
      }
      const payouts = payoutsOf(reference);
      const { state, payout_id } = await world.withdrawal(id);
      ends.push(`${state} with ${payouts.length}`);
      if (payouts.length > 0) expect(payout_id, `killed at step ${steps}`).toBe(payouts[0]?.id);
      world.clock.advance(24 * 3600);
    }
    // Claimed but not ordered: an operator resolves it. Everything else is paid once.
    expect([...new Set(ends)].sort()).toEqual(['completed with 1', 'uncertain with 0']);
    expect(ends.length).toBeGreaterThan(30);
    expect(await world.findings()).toEqual([]);
    const rows = await listRows(world.context.db)<{ n: number }>`
    select count(*)::int as n from funds.withdrawal where state = 'uncertain' and member_id = ${memberId}`;
    expect(rows[0]?.n).toBe(ends.filter((end) => end.startsWith('uncertain')).length);
  },
);
