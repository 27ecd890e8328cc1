import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type LooseningPayload, registerMember } from '#server/accounts/index.ts';
import { approveProposal, listProposalRows } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { listRows, listValues } from '#server/db/rows.ts';
import { checkFunds, createDeposit, findAddress, payInSandbox } from '#server/funds/index.ts';
import { looseningKind } from '#server/funds/loosening/loosening.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { announcementKind } from '#server/operator/announcements/announcements.ts';
import { getTicketThread } from '#server/tickets/index.ts';
import { prepareLimits } from '#server/trading/index.ts';
import { showLimits } from '#server/trading/limits/change-limits.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { fillSecondPersonQueue } from './fill-second-person-queue.ts';
import { limitThinCoins } from './limit-thin-coins.ts';
import { ensureDemoAdmins } from './make-operators.ts';
import { makeDemoTickets } from './make-tickets.ts';
import { askForFirstPayout, beforeToday, depositOtherwise, saveDemoAddress, withdrawInDemo } from './move-money.ts';
import { anikasAddress, demoOperators, demoPassword, demoPeople, firstPayout, restrictedPeople } from './people.ts';

/** The demo world without its sessions. */
const world = closeAfterAll(await bootWithoutMarket('2026-03-04T14:05:00Z'));
const { context } = world;
const about = { referralCode: context.config.companyCode, mobileNumber: '+919812345678', password: demoPassword };
const [anika] = demoPeople as [(typeof demoPeople)[0]];
const { memberId } = await registerMember(beforeToday(context), { ...about, name: anika.name, email: anika.email });
await saveDemoAddress(context, memberId);
await depositOtherwise(context, memberId);
const { id } = await createDeposit(context, memberId, { amount: 5000, risk_accepted: true }, undefined);
await payInSandbox(context, { depositId: BigInt(id) }, 'full');
const { payer, reader } = await withdrawInDemo(context, memberId);
const financeId = reader.operatorId;
await askForFirstPayout(context, await makeLena(context));
const supportId = await makeDemoTickets(context, memberId);

async function makeLena(context: Context): Promise<bigint> {
  const person = { ...about, name: 'Lena Vogt', email: 'lena@tradewind.example' };
  const { memberId: lena } = await registerMember(beforeToday(context), person, () => firstPayout.code);
  const { id } = await createDeposit(context, lena, { amount: 500, risk_accepted: true }, undefined);
  await payInSandbox(context, { depositId: BigInt(id) }, 'full');
  return lena;
}

const statesOf = (table: 'deposit' | 'withdrawal') => listValues(world.context.db)<string>`
    select state from ${sql.raw(`funds.${table}`)} order by id`;

test('deposits and withdrawals are in several states, all of them in the past', async () => {
  expect(await statesOf('deposit')).toEqual(['expired', 'review', 'credited', 'credited']);
  expect(await statesOf('withdrawal')).toEqual(['completed', 'rejected', 'cancelled', 'requested', 'requested']);
  const { rows } = await sql`
    select 1 from funds.withdrawal where updated_at > ${world.context.now()} or created_at > updated_at
    union all select 1 from funds.withdrawal_step where occurred_at > ${world.context.now()}`.execute(world.context.db);
  expect(rows).toEqual([]);
});

test('the payout address can be used at once', async () => {
  const found = await findAddress(world.context.db, memberId);
  expect(found).toMatchObject(anikasAddress);
  expect(Date.parse(found?.usable_from ?? '')).toBeLessThan(world.context.now().getTime());
});

test('the ledger verifies like that of real members', async () => {
  expect(await checkFunds(world.context.db)).toEqual([]);
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('the operators who decided have two-factor authentication and no known password', async () => {
  const rows = await listRows(world.context.db)<{ email: string; role: string; is_confirmed: boolean }>`
    select o.email, o.role, t.confirmed_at is not null as is_confirmed
    from identity.operator o join identity.totp t on t.operator_id = o.id order by o.email desc`;
  expect(rows).toEqual(demoOperators.map(({ email }) => ({ email, role: 'finance', is_confirmed: true })));
});

test('one ticket is closed and read, with a file; another was answered and is unread', async () => {
  const { rows } = await sql<{ id: bigint }>`
    select id from support.ticket where member_id = ${memberId} order by id`.execute(world.context.db);
  const [settled, waiting] = await Promise.all(rows.map(({ id }) => getTicketThread(world.context, memberId, id)));
  expect(rows).toHaveLength(2);
  expect(settled).toMatchObject({
    ticket: { state: 'closed', unread: 0 },
    messages: [
      { author: 'member', attachments: [{ name: 'wallet statement.pdf', type: 'application/pdf' }] },
      { author: 'support', name: 'Devika', seen: true },
    ],
  });
  const { rows: rejected } = await sql<{ reference: string }>`
    select reference from funds.withdrawal where state = 'rejected'`.execute(world.context.db);
  expect(waiting).toMatchObject({
    ticket: {
      state: 'answered',
      unread: 2,
      about: { kind: 'movement', label: `Withdrawal returned, ${rejected[0]?.reference}` },
    },
  });
});

test('all messages are in the past and in order', async () => {
  const { rows } = await sql<{ at: Date }>`
    select created_at as at from support.message order by id`.execute(world.context.db);
  const times = rows.map(({ at }) => at.getTime());
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.at(-1)).toBeLessThan(world.context.now().getTime());
});

test('each kind of restriction has one waiting to be lifted, plus an announcement of support: a demo admin can approve all', async () => {
  await ensureDemoAdmins(context);
  const memberIds = new Map<string, bigint>();
  for (const { code } of restrictedPeople) {
    const person = demoPeople.find((one) => one.code === code) as (typeof demoPeople)[0];
    const made = await registerMember(context, { ...about, name: person.name, email: person.email }, () => code);
    memberIds.set(code, made.memberId);
  }
  await fillSecondPersonQueue(context, { financeId, supportId }, memberIds);
  const admin = await makeOperator(context, 'admin');
  const actor = actorOf(admin);
  const waiting = { state: 'proposed', after: undefined, limit: 10 } as const;
  const loosenings = await listProposalRows<LooseningPayload>(context.db, 'loosening', waiting);
  expect(loosenings.map(({ payload }) => payload)).toEqual(restrictedPeople.map(({ what }) => ({ what })));
  for (const { id: proposalId, payload } of loosenings) {
    const decision = { id: proposalId, version: 1, otp: await admin.code() };
    const state = payload.what === 'turn_off_two_factor' ? 'approved' : 'posted';
    expect(await approveProposal(context, looseningKind, actor, decision)).toMatchObject({ state });
  }
  const [announcement] = await listProposalRows(context.db, 'announcement', waiting);
  const decision = { id: announcement?.id as bigint, version: 1, otp: await admin.code() };
  expect(await approveProposal(context, announcementKind, actor, decision)).toMatchObject({ state: 'posted' });
});

test('illiquid coins have size limits that two operators approved, and others wait for the second', async () => {
  await prepareLimits(context);
  await limitThinCoins(context, payer.operatorId, reader.operatorId);
  const changes = await listProposalRows(context.db, 'asset_limits', { after: undefined, limit: 10 });
  expect(changes.map(({ state }) => state).toSorted()).toEqual(['posted', 'posted', 'proposed']);
  const { items } = await showLimits(context);
  expect(items.filter(({ trade }) => trade !== null).map(({ symbol }) => symbol)).toEqual(['etc', 'bsv']);
});
