import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { actorOf, wrongCode } from '#test/worlds/operators.ts';
import { usd } from '../funds-world.test-setup.ts';
import { type Gateway, OutcomeUnknown, type Payout } from '../gateways/gateway.ts';
import { completeWithdrawal, type Resolution, resolveWithdrawal } from '../review/decide-withdrawal.ts';
import { openOfficeWorld, watched } from '../review/review-world.test-setup.ts';
import { getWithdrawal, orderOf, type WithdrawalRow } from '../withdrawals/withdrawal.ts';
import { followPayouts } from './follow-payouts.ts';
import { payWithdrawals } from './pay-withdrawals.ts';
import { answerSearches } from './search-payout.ts';

const world = closeAfterAll(await openOfficeWorld());
// Payouts left in progress by an earlier test are completed first.
beforeEach(async () => {
  world.clock.advance(24 * 3600);
  await follow();
});

const follow = (gateway: Gateway = world.gateway) => followPayouts(world.context, [gateway]);
const sent = async (): Promise<WithdrawalRow> => {
  const { id } = await world.addApproved(100);
  await payWithdrawals(world.context, [world.gateway]);
  return world.withdrawal(id);
};
/** Claimed, with an unknown outcome of the order; here it did not arrive. */
const uncertain = async (): Promise<WithdrawalRow> => {
  const { id } = await world.addApproved(100);
  const silent = watched(world.gateway, { createPayout: () => Promise.reject(new OutcomeUnknown('no answer')) });
  await payWithdrawals(world.context, [silent]);
  world.clock.advance(60);
  await follow();
  return world.withdrawal(id);
};
const resolve = async (
  id: bigint,
  said: { outcome: 'sent' | 'completed'; transaction: string } | { outcome: 'failed'; reason: string },
  gateway: Gateway = world.gateway,
) => {
  const resolution: Resolution = { ...(await world.seen(id)), ...said };
  return answering(gateway, resolveWithdrawal(world.context, actorOf(world.finance), resolution));
};
/** A worker besides the deciding process; only it can query the gateway. */
const answering = async <T>(gateway: Gateway, deciding: Promise<T>): Promise<T> => {
  let isOver = false;
  const decided = deciding.finally(() => {
    isOver = true;
  });
  decided.catch(() => {});
  while (!isOver) {
    await answerSearches(world.context, [gateway]);
    await nextTurn();
  }
  return decided;
};
const reporting = (payout: Payout | undefined) =>
  watched(world.gateway, { findPayout: async () => payout, getPayout: async () => payout });

describe('a payout that was sent', () => {
  test.each([
    ['then shown with', 'abcdef1234'],
    ['then shown without', null],
  ])('whose transaction was seen is uncertain when the gateway cancels it, %s the transaction', async (_, shown) => {
    const { id, member_id, payout_id } = await sent();
    const reported = { id: payout_id as string, units: null, networkFeeMicros: null };
    world.clock.advance(60);
    await follow(reporting({ ...reported, state: 'waiting', transaction: 'abcdef1234' }));
    expect(await getWithdrawal(world.context, member_id, id)).toMatchObject({
      state: 'sent',
      transaction: 'abcdef1234',
    });
    const cancelled = reporting({ ...reported, state: 'cancelled', transaction: shown });
    world.clock.advance(60);
    expect(await follow(cancelled)).toBe(1);
    world.clock.advance(60);
    expect(await follow(cancelled)).toBe(0);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'uncertain', transaction: 'abcdef1234' });
    expect(await world.held(member_id)).toBe(usd(100));
    await resolve(id, { outcome: 'failed', reason: 'It never arrived.' }, cancelled);
  });

  test('stays as it is while it waits, and is polled ever less often', async () => {
    const { id, version, payout_id } = await sent();
    const unpaid = { transaction: null, units: null, networkFeeMicros: null };
    const waiting = reporting({ id: payout_id as string, state: 'waiting', ...unpaid });
    for (let run = 0; run < 100; run += 1) {
      world.clock.advance(10);
      await follow(waiting);
    }
    const asked = waiting.asked.filter((call) => call === `get ${payout_id}`).length;
    expect(asked).toBeGreaterThan(10);
    expect(asked).toBeLessThan(50);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'sent', version });
    await follow();
  });

  test('and that the gateway does not know stays sent for a minute, is then uncertain, and sent once it is known again', async () => {
    const { id, member_id, payout_id } = await sent();
    world.clock.advance(5);
    expect(await follow(reporting(undefined))).toBe(0);
    world.clock.advance(60);
    expect(await follow(reporting(undefined))).toBe(1);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'uncertain', payout_id });
    expect(await world.held(member_id)).toBe(usd(100));
    world.clock.advance(60);
    expect(await follow()).toBe(1);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'sent', payout_id });
  });

  test('and that failed at the gateway, perhaps after it was paid, is uncertain; a person decides', async () => {
    const { id, member_id, payout_id } = await sent();
    const unclear = { id: payout_id as string, state: 'uncertain', transaction: 'abcdef1234' } as const;
    const failing = reporting({ ...unclear, units: null, networkFeeMicros: null });
    world.clock.advance(60);
    expect(await follow(failing)).toBe(1);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'uncertain', transaction: 'abcdef1234' });
    world.clock.advance(60);
    expect(await follow(failing)).toBe(0);
    const primary = await world.primary(member_id);
    const said = { outcome: 'failed', reason: 'The transaction was reverted.' } as const;
    expect(await resolve(id, said, failing)).toMatchObject({ state: 'failed' });
    expect(await world.primary(member_id)).toBe(primary + usd(100));
    expect(await world.findings()).toEqual([]);
  });

  test('and that a person says was sent otherwise is no longer polled, and completes by hand', async () => {
    const { id } = await sent();
    world.clock.advance(60);
    const empty = reporting(undefined);
    await follow(empty);
    expect(await resolve(id, { outcome: 'sent', transaction: 'abcdef1234' })).toMatchObject({ state: 'sent' });
    world.clock.advance(600);
    expect(await follow(empty)).toBe(0);
    // Nor does it need its gateway any more.
    expect(await followPayouts(world.context, [])).toBe(0);
    await completeWithdrawal(world.context, actorOf(world.finance), await world.seen(id));
    expect(await world.withdrawal(id)).toMatchObject({ state: 'completed', transaction: 'abcdef1234' });
    expect(await world.findings()).toEqual([]);
  });

  test('of another gateway is not polled at this one, and the run fails when that gateway is not configured', async () => {
    const [{ id }, other] = [await sent(), await sent()];
    const moveTo = (gateway: string) =>
      sql`update funds.withdrawal set gateway = ${gateway} where id = ${id}`.execute(world.context.db);
    await moveTo('btcpay');
    world.clock.advance(60);
    await expect(follow()).rejects.toThrow('payouts are under way at btcpay, which PAYMENTS does not name');
    expect(await world.withdrawal(id)).toMatchObject({ state: 'sent' });
    expect(await world.withdrawal(other.id)).toMatchObject({ state: 'completed' });
    await moveTo(world.gateway.name);
    expect(await follow()).toBe(1);
  });

  test.each(['sent', 'claimed'] as const)(
    'or %s at a gateway that is not configured is uncertain a week after its last check: a person decides',
    async (how) => {
      const { id, member_id } = await sent();
      await sql`
        update funds.withdrawal set gateway = 'btcpay', state = ${how === 'sent' ? 'sent' : 'approved'},
          payout_id = ${how === 'sent' ? 'abc' : null} where id = ${id}`.execute(world.context.db);
      const { state } = await world.withdrawal(id);
      world.clock.advance(7 * 24 * 3600 - 1);
      await expect(follow()).rejects.toThrow('payouts are under way at btcpay, which PAYMENTS does not name');
      expect(await world.withdrawal(id)).toMatchObject({ state });
      world.clock.advance(1);
      expect([await follow(), await follow()]).toEqual([1, 0]);
      expect(await world.withdrawal(id)).toMatchObject({ state: 'uncertain' });
      expect(await world.held(member_id)).toBe(usd(100));
      const said = { outcome: 'failed', reason: 'The gateway has closed and never paid it.' } as const;
      expect(await resolve(id, said)).toMatchObject({ state: 'failed' });
      expect(await world.held(member_id)).toBe(0n);
      expect(await world.findings()).toEqual([]);
    },
  );

  test('at a gateway that is configured again after a week is found there, and completes', async () => {
    const { id, payout_id } = await sent();
    world.clock.advance(7 * 24 * 3600);
    expect(await followPayouts(world.context, [])).toBe(1);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'uncertain', payout_id });
    for (const state of ['sent', 'completed']) {
      world.clock.advance(600);
      expect([await follow(), (await world.withdrawal(id)).state]).toEqual([1, state]);
    }
  });

  test('and was changed during the call to the gateway is left unchanged', async () => {
    const { id, payout_id } = await sent();
    world.clock.advance(5);
    const racing = watched(world.gateway, {
      getPayout: async (payoutId, order) => {
        await sql`update funds.withdrawal set version = version + 1 where id = ${id}`.execute(world.context.db);
        return world.gateway.getPayout(payoutId, order);
      },
    });
    expect(await follow(racing)).toBe(0);
    expect(racing.asked).toContain(`get ${payout_id}`);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'sent' });
    world.clock.advance(5);
    expect(await follow()).toBe(1);
  });
});

describe('a payout whose outcome is unknown', () => {
  test('is uncertain, keeps the hold, is never ordered again, and is looked for on and on', async () => {
    const row = await uncertain();
    const { id, member_id } = row;
    expect(row).toMatchObject({ state: 'uncertain', payout_id: null });
    expect(await world.held(member_id)).toBe(usd(100));
    expect((await world.messages(member_id)).at(-1)).toContain('takes longer');
    expect(await payWithdrawals(world.context, [world.gateway])).toBe(0);
    world.clock.advance(600);
    expect(await follow()).toBe(0);
    // The order was in transit all the time.
    const { id: payoutId } = await world.gateway.createPayout(orderOf(row));
    world.clock.advance(600);
    expect(await follow()).toBe(1);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'sent', payout_id: payoutId });
    world.clock.advance(5);
    expect(await follow()).toBe(1);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'completed' });
    expect(await world.findings()).toEqual([]);
  });

  test('of a gateway that is away: the run ends at the first, and the next one begins with the others', async () => {
    const rows = [await sent(), await sent()];
    world.clock.advance(5);
    const away = watched(world.gateway, { getPayout: () => Promise.reject(new Refused('gateway_unavailable')) });
    const calls = () => away.asked.filter((call) => rows.some((row) => call === `get ${row.payout_id}`));
    await expect(follow(away)).rejects.toThrow('Payouts that could not be followed: 1');
    expect(calls()).toHaveLength(1);
    await expect(follow(away)).rejects.toThrow('Payouts that could not be followed: 1');
    expect(new Set(calls()).size).toBe(2);
    world.clock.advance(5);
    expect(await follow()).toBe(2);
  });

  test('cannot be looked for while its answers make no sense, and others are', async () => {
    const [lost, other] = [await uncertain(), await sent()];
    world.clock.advance(600);
    const senseless = watched(world.gateway, { findPayout: () => Promise.reject(new Error('nonsense')) });
    await expect(follow(senseless)).rejects.toThrow('Payouts that could not be followed');
    expect((await world.withdrawal(lost.id)).state).toBe('uncertain');
    expect((await world.withdrawal(other.id)).state).toBe('completed');
  });
});

describe('a payout that the gateway cancelled before it was recorded', () => {
  const unpaid = { state: 'cancelled', transaction: null, units: null, networkFeeMicros: null } as const;
  const cancelled = watched(world.gateway, { findPayout: async ({ reference: id }) => ({ ...unpaid, id }) });
  const lost = watched(world.gateway, { createPayout: () => Promise.reject(new OutcomeUnknown('no answer')) });
  const failed = { state: 'failed', note: 'The payment gateway cancelled the payout.' };
  test.each<[string, (row: WithdrawalRow) => Promise<unknown>]>([
    ['found before the order', () => payWithdrawals(world.context, [cancelled])],
    [
      'found after a lost reply',
      async () => {
        await payWithdrawals(world.context, [lost]);
        world.clock.advance(60);
        await follow(cancelled);
      },
    ],
    [
      'found once uncertain',
      async () => {
        await payWithdrawals(world.context, [lost]);
        world.clock.advance(60);
        await follow();
        world.clock.advance(600);
        await follow(cancelled);
      },
    ],
    [
      'found when a person says that it never left',
      async ({ id }) => {
        await payWithdrawals(world.context, [lost]);
        world.clock.advance(60);
        await follow();
        const saying = resolve(id, { outcome: 'failed', reason: 'Not there.' }, cancelled);
        expect(await codeOf(saying)).toBe('withdrawal_changed');
      },
    ],
  ])('%s: gives everything back, and no message or step says that it was sent', async (_, find) => {
    const row = await world.addApproved(100);
    const { id, member_id } = row;
    const primary = await world.primary(member_id);
    await find(row);
    expect(await world.withdrawal(id)).toMatchObject(failed);
    expect(await world.primary(member_id)).toBe(primary + usd(100));
    expect((await world.messages(member_id)).filter((message) => message.includes('was sent:'))).toEqual([]);
    const { steps } = await getWithdrawal(world.context, member_id, id);
    expect(steps.map(({ state }) => state)).not.toContain('sent');
    expect(await world.findings()).toEqual([]);
  });
});

describe('a person decides about it', () => {
  test('it never left: the amount goes back to its wallet', async () => {
    const { id, member_id } = await uncertain();
    const primary = await world.primary(member_id);
    expect(await resolve(id, { outcome: 'failed', reason: 'The gateway never had it.' })).toMatchObject({
      state: 'failed',
    });
    expect(await world.primary(member_id)).toBe(primary + usd(100));
    expect(await world.findings()).toEqual([]);
  });

  test('it never left, while the gateway has it: that is written down, and the decision refused', async () => {
    const row = await uncertain();
    const { id, member_id } = row;
    await world.gateway.createPayout(orderOf(row));
    expect(await codeOf(resolve(id, { outcome: 'failed', reason: 'Not there.' }))).toBe('withdrawal_changed');
    expect(await world.withdrawal(id)).toMatchObject({ state: 'sent' });
    expect(await world.held(member_id)).toBe(usd(100));
  });

  test('it never left, and the gateway cannot be searched: refused, and the search is dropped', async () => {
    const { id, member_id } = await uncertain();
    const said = { outcome: 'failed', reason: 'Gone.' } as const;
    const away = watched(world.gateway, { findPayout: () => Promise.reject(new Refused('gateway_unavailable')) });
    expect(await codeOf(resolve(id, said, away))).toBe('gateway_unavailable');
    const resolution = { ...(await world.seen(id)), ...said };
    const withoutWorker = resolveWithdrawal(world.context, actorOf(world.finance), resolution, 0);
    expect(await codeOf(withoutWorker)).toBe('gateway_unavailable');
    const broken = watched(world.gateway, { findPayout: () => Promise.reject(new Error('nonsense')) });
    const deciding = resolveWithdrawal(world.context, actorOf(world.finance), resolution);
    await expect(answering(broken, deciding)).rejects.toThrow('nonsense');
    expect(await codeOf(deciding)).toBe('gateway_unavailable');
    expect(await world.withdrawal(id)).toMatchObject({ state: 'uncertain' });
    expect(await world.held(member_id)).toBe(usd(100));
    expect(await answerSearches(world.context, [away])).toBe(0);
  });

  test('a search that the gateway does not answer delays no other', async () => {
    const rows = [await uncertain(), await uncertain()];
    const [first, second] = rows.map(({ id }) => id);
    for (const { id } of rows)
      await sql`insert into funds.payout_look (withdrawal_id, asked_at) values (${id}, ${world.context.now()})`.execute(
        world.context.db,
      );
    const silence = Promise.withResolvers<undefined>();
    const gateway = watched(world.gateway, {
      findPayout: async (order) => (order.reference === rows[0]?.reference ? silence.promise : undefined),
    });
    const answering = answerSearches(world.context, [gateway]);
    const answered = async () =>
      (
        await sql<{ id: bigint }>`
          select withdrawal_id as id from funds.payout_look where answer is not null order by 1`.execute(
          world.context.db,
        )
      ).rows.map(({ id }) => id);
    await expect.poll(answered).toEqual([second]);
    silence.resolve(undefined);
    expect(await answering).toBe(2);
    expect(await answered()).toEqual([first, second]);
    await sql`delete from funds.payout_look`.execute(world.context.db);
  });

  test('an abandoned search is dropped without a call', async () => {
    const { id } = await uncertain();
    await sql`insert into funds.payout_look (withdrawal_id, asked_at) values (${id}, ${world.context.now()})`.execute(
      world.context.db,
    );
    world.clock.advance(120);
    const gateway = watched(world.gateway);
    expect(await answerSearches(world.context, [gateway])).toBe(1);
    expect(gateway.asked).toEqual([]);
    expect(await answerSearches(world.context, [gateway])).toBe(0);
  });

  test('it never left, at a gateway that is no longer configured: the operator’s decision stands', async () => {
    const { id } = await uncertain();
    await sql`update funds.withdrawal set gateway = 'btcpay' where id = ${id}`.execute(world.context.db);
    const gateway = watched(world.gateway);
    expect(await resolve(id, { outcome: 'failed', reason: 'Gone.' }, gateway)).toMatchObject({ state: 'failed' });
    expect(gateway.asked).toEqual([]);
  });

  test('only with a fresh code, about what they saw, and only while it is uncertain', async () => {
    const { id, version } = await uncertain();
    const actor = actorOf(world.finance);
    const said = { outcome: 'completed', transaction: 'abcdef1234' } as const;
    const stale = { ...said, withdrawalId: id, version: version - 1, otp: await world.finance.code() };
    expect(await codeOf(resolveWithdrawal(world.context, actor, stale))).toBe('withdrawal_changed');
    const wrong = { ...stale, version, otp: wrongCode(stale.otp) };
    expect(await codeOf(resolveWithdrawal(world.context, actor, wrong))).toBe('wrong_second_factor');
    await resolve(id, said);
    expect(await codeOf(resolve(id, said))).toBe('withdrawal_state');
    expect(await codeOf(resolve((await world.addApproved(100)).id, { outcome: 'failed', reason: 'x' }))).toBe(
      'withdrawal_state',
    );
    const unknown = { ...stale, withdrawalId: 999_999n };
    expect(await codeOf(resolveWithdrawal(world.context, actor, unknown))).toBe('withdrawal_not_found');
  });
});
