import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { findValue, listRows } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { actorOf } from '#test/worlds/operators.ts';
import { usd } from '../funds-world.test-setup.ts';
import { type Gateway, OutcomeUnknown } from '../gateways/gateway.ts';
import { setPayoutSwitch } from '../review/payout-switch.ts';
import { openOfficeWorld, watched } from '../review/review-world.test-setup.ts';
import { setWithdrawalsFrozen } from '../withdrawals/freeze-withdrawals.ts';
import { orderOf } from '../withdrawals/withdrawal.ts';
import { followPayouts } from './follow-payouts.ts';
import { payWithdrawals } from './pay-withdrawals.ts';

const world = closeAfterAll(await openOfficeWorld());
// Payouts left in progress by an earlier test are completed first.
beforeEach(async () => {
  world.clock.advance(24 * 3600);
  for (const run of [pay, follow, follow]) {
    await run();
    world.clock.advance(60);
  }
});

const pay = (gateway: Gateway = world.gateway) => payWithdrawals(world.context, [gateway]);
const follow = (gateway: Gateway = world.gateway) => followPayouts(world.context, [gateway]);
const countPayouts = (reference: string) => findValue(world.context.db)<number>`
    select count(*)::int as n from funds.sandbox_payout where reference = ${reference}`;
const stopPayouts = () =>
  setPayoutSwitch(world.context, actorOf(world.finance), { stopped: true, why: 'a look at the books' });
const letPayoutsGoOn = async () =>
  setPayoutSwitch(world.context, actorOf(world.finance), {
    stopped: false,
    why: 'done',
    otp: await world.finance.code(),
  });

describe('an approved withdrawal', () => {
  test('is ordered once, net of its fee, and completed when the gateway reports it', async () => {
    const { id, member_id, reference } = await world.addApproved(1000, 'BTC');
    expect(await pay()).toBe(1);
    expect(await pay()).toBe(0);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'sent', payout_way: 'gateway', gateway: 'sandbox' });
    const rows = await listRows(world.context.db)`
      select network, address, amount_micros from funds.sandbox_payout where reference = ${reference}`;
    expect(rows).toEqual([
      { network: 'BTC', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount_micros: usd(990) },
    ]);
    world.clock.advance(4);
    expect(await follow()).toBe(0);
    world.clock.advance(1);
    expect(await follow()).toBe(1);
    const { state, transaction } = await world.withdrawal(id);
    expect([state, transaction]).toEqual(['completed', expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(await world.held(member_id)).toBe(0n);
    expect(await world.findings()).toEqual([]);
  });

  test('whose address was changed in the database is not paid', async () => {
    const { id, reference, address } = await world.addApproved(1000, 'BTC');
    const write = (to: string) =>
      sql`update funds.withdrawal set address = ${to} where id = ${id}`.execute(world.context.db);
    await write('bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3');
    expect([await pay(), await countPayouts(reference)]).toEqual([0, 0]);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'approved', payout_way: null });
    await write(address);
    expect([await pay(), await countPayouts(reference)]).toEqual([1, 1]);
  });

  test('on a network that the gateway does not pay to waits for a person', async () => {
    const { id } = await world.addApproved(100, 'TRC20');
    const bitcoinOnly = watched(world.gateway, { canPay: (network) => network === 'BTC' });
    expect(await pay(bitcoinOnly)).toBe(0);
    expect(await pay(watched(world.gateway, { canPay: () => false }))).toBe(0);
    expect(bitcoinOnly.asked).toEqual([]);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'approved', payout_way: null });
    await pay();
  });

  test('of a member stopped after the approval waits, and does not block others', async () => {
    const stopped = await world.addApproved(100);
    const next = await world.addApproved(100);
    const memberId = stopped.member_id;
    await setWithdrawalsFrozen(world.context, actorOf(world.finance), { memberId, why: 'phone call' });
    expect(await pay()).toBe(1);
    expect(await world.withdrawal(stopped.id)).toMatchObject({ state: 'approved', payout_way: null, version: 2 });
    expect(await world.withdrawal(next.id)).toMatchObject({ state: 'sent' });
    await world.release(memberId);
    expect(await pay()).toBe(1);
  });
});

describe('the switch', () => {
  test('stops everything that was not ordered yet, until it is switched back', async () => {
    const { id } = await world.addApproved(100);
    await stopPayouts();
    const gateway = watched(world.gateway);
    expect(await pay(gateway)).toBe(0);
    expect(gateway.asked).toEqual([]);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'approved', payout_way: null, version: 2 });
    await letPayoutsGoOn();
    expect(await pay()).toBe(1);
  });

  test('turned between the claim and the order still holds the money', async () => {
    const { id, reference } = await world.addApproved(100);
    const gateway = watched(world.gateway, {
      findPayout: async () => {
        await stopPayouts();
        return undefined;
      },
    });
    expect(await pay(gateway)).toBe(0);
    expect(gateway.asked).toEqual([`find ${reference}`]);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'approved', payout_way: null, payout_started_at: null });
    await letPayoutsGoOn();
    world.clock.advance(60);
    expect(await pay()).toBe(1);
    expect(await countPayouts(reference)).toBe(1);
    expect(await world.findings()).toEqual([]);
  });
});

describe('a gateway', () => {
  test('that certainly ordered nothing is retried after a minute, and others are paid meanwhile', async () => {
    const refused = await world.addApproved(100);
    const other = await world.addApproved(100);
    const gateway = watched(world.gateway, {
      createPayout: async (order) => {
        if (order.reference === refused.reference) throw new Refused('gateway_unavailable');
        return world.gateway.createPayout(order);
      },
    });
    expect(await pay(gateway)).toBe(1);
    expect(await world.withdrawal(other.id)).toMatchObject({ state: 'sent' });
    expect(await world.withdrawal(refused.id)).toMatchObject({ state: 'approved', payout_way: null, gateway: null });
    const audit = await sql<{ after: object }>`
      select after from audit.entry where subject = ${`withdrawal:${refused.id}`} order by id desc limit 1`.execute(
      world.context.db,
    );
    expect(audit.rows).toMatchObject([{ after: { why: 'gateway_unavailable', payout_way: null } }]);
    world.clock.advance(59);
    expect(await pay()).toBe(0);
    world.clock.advance(1);
    expect(await pay()).toBe(1);
    expect(await countPayouts(refused.reference)).toBe(1);
  });

  test('that is away ends the run at the first, which is left as it was; the next run begins with the others', async () => {
    const rows = [await world.addApproved(100), await world.addApproved(100)];
    const away = watched(world.gateway, { findPayout: () => Promise.reject(new Refused('gateway_unavailable')) });
    for (const [index, { reference }] of rows.entries()) {
      expect(await pay(away)).toBe(0);
      expect(away.asked).toHaveLength(index + 1);
      expect(away.asked.at(-1)).toBe(`find ${reference}`);
    }
    for (const { id } of rows)
      expect(await world.withdrawal(id)).toMatchObject({ state: 'approved', payout_way: null });
    world.clock.advance(60);
    expect(await pay()).toBe(2);
  });

  test('that took the order and did not answer is not ordered from again: the payout is found', async () => {
    const { id, reference } = await world.addApproved(100);
    const silent = watched(world.gateway, {
      createPayout: async (order) => {
        await world.gateway.createPayout(order);
        throw new OutcomeUnknown('no answer in time');
      },
    });
    expect(await pay(silent)).toBe(0);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'approved', payout_way: 'gateway', payout_id: null });
    expect(await pay()).toBe(0);
    world.clock.advance(59);
    expect(await follow()).toBe(0);
    world.clock.advance(1);
    expect(await follow()).toBe(1);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'sent' });
    world.clock.advance(5);
    expect(await follow()).toBe(1);
    expect([(await world.withdrawal(id)).state, await countPayouts(reference)]).toEqual(['completed', 1]);
    expect(await world.findings()).toEqual([]);
  });

  test('that already has a payout of this reference gets no second order', async () => {
    const row = await world.addApproved(100);
    const { id, reference } = row;
    const earlier = await world.gateway.createPayout(orderOf(row));
    expect(await pay()).toBe(1);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'sent', payout_id: earlier.id });
    expect(await countPayouts(reference)).toBe(1);
  });

  test('whose answer took so long that the claim counts as lost is not ordered from any more', async () => {
    const { id, reference } = await world.addApproved(100);
    const slow = watched(world.gateway, {
      findPayout: async () => {
        world.clock.advance(60);
        return undefined;
      },
    });
    expect(await pay(slow)).toBe(0);
    expect(slow.asked).toEqual([`find ${reference}`]);
    expect(await follow()).toBe(1);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'uncertain' });
  });

  test('that fails unexpectedly keeps the claim, and the run fails after the last one', async () => {
    const broken = await world.addApproved(100);
    const other = await world.addApproved(100);
    const gateway = watched(world.gateway, {
      findPayout: async ({ reference }) => {
        if (reference === broken.reference) throw new TypeError('of nobody');
        return undefined;
      },
    });
    await expect(pay(gateway)).rejects.toThrow('Withdrawals that could not be paid: 1');
    expect(await world.withdrawal(broken.id)).toMatchObject({ state: 'approved', payout_way: 'gateway' });
    expect(await world.withdrawal(other.id)).toMatchObject({ state: 'sent' });
  });
});
