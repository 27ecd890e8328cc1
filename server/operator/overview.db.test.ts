import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createDeposit } from '#server/funds/index.ts';
import { createTicket } from '#server/tickets/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openConsoleWorld, type Person, usd } from '#test/worlds/console-world.ts';
import { getBackup } from './get-overview.ts';

let member: Person;
const world = closeAfterAll(await openConsoleWorld());

const overview = async (who = world.support) => (await world.get(who, 'operator/overview')).body.data;
const at = () => world.clock.now().toISOString();

test('at first liabilities are zero, queues empty and the coverage unknown', async () => {
  expect(await overview()).toMatchObject({
    simulated: true,
    at: at(),
    market_time: '2026-03-04T14:05:00.000Z',
    assets: { booked: 0, gateway: 0, venue: 0, counted: 0 },
    liabilities: 0,
    surplus: 0,
    coverage: null,
    today: { day: '2026-03-04', deposits: 0, withdrawals: 0, incomes: 0 },
    queues: {
      withdrawals: ['requested', 'approved', 'sent', 'uncertain'].map((state) => ({
        state,
        count: 0,
        amount: 0,
        oldest_at: null,
      })),
      two_person: { count: 0, first_approved: 0 },
      deposits_in_review: { count: 0, amount: 0, oldest_at: null },
      tickets: { count: 0, unassigned: 0, oldest_at: null },
      rewards: { count: 0, amount: 0, oldest_at: null },
      proposals: { adjustments: 0, treasury_moves: 0, fee_plans: 0, loosenings: 0, announcements: 0 },
    },
    venue: {
      kind: 'paper',
      state: 'up',
      since: null,
      reason: null,
      funds: null,
      halted: [],
      residuals: [],
      refused: [],
    },
    payouts: { stopped: false, at: null, why: null, needs: null },
    jobs: [],
    integrity: { last: null, running: null, alarms: [] },
    backup: { at: null, overdue: false },
  });
});

test('a backup is overdue after 25 hours, and in live mode before the first', async () => {
  const { context, clock } = world;
  const live = { ...context, config: { ...context.config, mode: 'live' as const } };
  expect(await getBackup(live)).toEqual({ at: null, overdue: true });
  const finished = clock.now();
  for (const hours of [25, 49])
    await sql`
      insert into public.backup (name, bytes, finished_at)
      values (${`${hours} hours ago`}, 1, ${new Date(finished.getTime() - hours * 3_600_000)})`.execute(context.db);
  const at = new Date(finished.getTime() - 25 * 3_600_000).toISOString();
  expect((await overview()).backup).toEqual({ at, overdue: false });
  const later = { ...context, now: () => new Date(finished.getTime() + 1) };
  expect(await getBackup(later)).toEqual({ at, overdue: true });
});

test('it shows assets, liabilities, today’s flows and the queues', async () => {
  const { context } = world;
  member = await world.addMember({ name: 'Anika Rao' });
  const primary = { memberId: member.memberId, class: 'primary' } as const;
  const marketDay = sql`update market.clock set at = '2026-03-04T15:00:00Z'`;
  await marketDay.execute(context.db);
  await world.post({
    from: { class: 'gateway' },
    to: primary,
    amountMicros: usd(8_000),
    reason: 'deposit',
    reference: 'DP-AAAAAA',
  });
  await world.addSurplus(204);
  const { id } = await createDeposit(context, member.memberId, { amount: 100 }, undefined);
  await sql`
    update funds.deposit set state = 'review', booked_micros = ${usd(40)} where id = ${BigInt(id)}`.execute(context.db);
  const day = context.now().toISOString().slice(0, 10);
  await sql`
    insert into funds.withdrawal_day (member_id, day, live_micros)
    values (${member.memberId}, ${day}::date, ${usd(6_000)})`.execute(context.db);
  await sql`
    insert into funds.withdrawal (member_id, reference, wallet, amount_micros, fee_micros, fee_plan_id, network, address,
      state, requested_on, created_at, updated_at)
    select ${member.memberId}, 'WD-' || g, 'primary', ${usd(3_000)}, ${usd(30)}, 1, 'BTC', 'bc1qw508d6qejxtdg4y', 'requested',
      ${day}::date, ${context.now()}::timestamptz + make_interval(mins => g), ${context.now()}
    from generate_series(0, 1) g`.execute(context.db);
  await sql`
    insert into funds.withdrawal_approval (withdrawal_id, operator_id, approved_at)
    select min(id), ${world.finance.operatorId}::bigint, now() from funds.withdrawal`.execute(context.db);
  await createTicket(context, member.memberId, { subject: 'Where?', category: 'other', message: 'Where is it?' });
  await world.send(world.finance, 'POST', 'operator/adjustments', {
    member_id: member.memberId.toString(),
    wallet_type: 'primary',
    amount: 1,
    reason: 'r',
    evidence: 'e',
  });
  expect(await overview()).toMatchObject({
    assets: { booked: 8_204, gateway: 8_204, venue: 0, counted: 8_204 },
    liabilities: 8_000,
    surplus: 204,
    coverage: 1.0255,
    today: { deposits: 8_000 },
    queues: {
      withdrawals: [
        { state: 'requested', count: 2, amount: 5_940, oldest_at: at() },
        { state: 'approved', count: 0 },
        { state: 'sent', count: 0 },
        { state: 'uncertain', count: 0 },
      ],
      two_person: { count: 2, first_approved: 1 },
      deposits_in_review: { count: 1, amount: 40, oldest_at: at() },
      tickets: { count: 1, unassigned: 1, oldest_at: at() },
      proposals: { adjustments: 1, treasury_moves: 0 },
    },
  });
});

test('flows of another market day are not today’s', async () => {
  await sql`update market.clock set at = '2026-03-05T12:30:00Z'`.execute(world.context.db);
  expect(await overview()).toMatchObject({ today: { day: '2026-03-05', deposits: 0 }, liabilities: 8_000 });
});
