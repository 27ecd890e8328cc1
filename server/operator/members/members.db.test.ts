import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { getRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { admitWithdrawal, createDeposit, freezeWithdrawals, holdWithdrawal, saveAddress } from '#server/funds/index.ts';
import { createTicket } from '#server/tickets/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal } from '#test/worlds/app.ts';
import { openConsoleWorld, type Person, usd } from '#test/worlds/console-world.ts';
import { giveFunds } from '#test/worlds/members.ts';

const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

const world = closeAfterAll(await openConsoleWorld());
const { context, clock } = world;
const anika = await world.addMember({ name: 'Anika Ráo', email: 'Anika.Rao@harbour.example', dollars: 500 });
const bert = await world.addMember({ name: 'Bert Lund', email: 'bert@mail.example' });
await sql`update identity.member set mobile_number = '+447911123456' where id = ${bert.memberId}`.execute(context.db);
const earlier = { ...context, now: () => new Date(clock.now().getTime() - 25 * 3_600_000) };
await inTransaction(context.db, (tx) =>
  saveAddress(tx, earlier, { memberId: anika.memberId, network: 'TRC20', address: ADDRESS }),
);
const deposit = await createDeposit(context, anika.memberId, { amount: 100 }, undefined);
const withdrawal = await inTransaction(context.db, async (tx) => {
  const order = { memberId: anika.memberId, amountMicros: usd(50), wallet: 'primary' } as const;
  const row = await admitWithdrawal(tx, context, order);
  await holdWithdrawal(tx, context, row);
  return row;
});
await sql`update funds.deposit set payment_id = 'f00dfeed01' where id = ${BigInt(deposit.id)}`.execute(context.db);
const ticket = await createTicket(context, anika.memberId, {
  subject: 'Where is it?',
  category: 'deposit',
  message: 'I paid an hour ago.',
});

const find = (search: string) => world.get(world.support, `operator/members?search=${encodeURIComponent(search)}`);
const page = async (person: Person, operator = world.support) =>
  world.get(operator, `operator/members/${person.memberId}`);

describe('GET operator/members', () => {
  test('lists everybody except the company, newest first, page by page', async () => {
    const first = await world.get(world.support, 'operator/members?limit=1');
    expect(first.body.data).toMatchObject({ items: [{ name: 'Bert Lund', found_by: null }], more: false });
    const next = await world.get(world.support, `operator/members?limit=5&cursor=${first.body.data.next_cursor}`);
    expect(next.body.data).toMatchObject({ items: [{ name: 'Anika Ráo' }], next_cursor: null });
  });

  test.each<[string, () => string, string]>([
    ['id', () => anika.memberId.toString(), 'id'],
    ['Registered Id in lower case', () => anika.referralCode.toLowerCase(), 'referral_code'],
    ['Registered Id in groups', () => anika.referralCode.replace(/(.{4})(.{4})/, '$1 $2 '), 'referral_code'],
    ['a name prefix', () => 'anik', 'name'],
    ['names in another order, without accents', () => 'rao ani', 'name'],
    ['an email prefix', () => 'ANIKA.RAO@h', 'email'],
    ['mobile number', () => '+91 98765 43210', 'mobile_number'],
    ['the last digits of it', () => '543210', 'mobile_number'],
    ['it as dialled within the country', () => '098765 43210', 'mobile_number'],
    ['payout address in any case', () => ADDRESS.toLowerCase(), 'address'],
    ['deposit', () => deposit.reference.toLowerCase(), 'reference'],
    ['withdrawal', () => withdrawal.reference, 'reference'],
    ['ticket', () => ticket.reference, 'reference'],
    ['transaction', () => 'f00dfeed01', 'transaction'],
  ])('finds a member by %s', async (_what, text, found_by) => {
    expect((await find(text())).body.data).toMatchObject({
      items: [{ id: anika.memberId.toString(), referral_code: anika.referralCode, found_by }],
      next_cursor: null,
      more: false,
    });
  });

  test.each([
    'nobody@mail.example',
    'zzzz',
    'DP-ZZZZZZ',
    'WD-ZZZZZZ',
    'Q-ZZZZZZ',
    'AD-ZZZZZZ',
    'trade 999999',
    '999999',
    '+4412345',
    'T',
    'TRADEWIND',
  ])('finds nobody by %s', async (text) => {
    expect((await find(text)).body.data).toEqual({ items: [], next_cursor: null, more: false });
  });

  test('masks email and mobile for every role', async () => {
    for (const operator of [world.support, world.finance, world.admin]) {
      const { body } = await world.get(operator, `operator/members?search=${anika.referralCode}`);
      expect(body.data.items).toMatchObject([{ email: 'A•••@h•••.example', mobile_number: '••••••3210' }]);
    }
  });

  test('reports that there are more matches than are examined', async () => {
    await sql`
      insert into team.search_word (word, member_id)
      select 'crowd' || g, ${bert.memberId} from generate_series(1, 1001) g`.execute(world.context.db);
    expect((await find('crowd')).body.data).toMatchObject({ items: [{ name: 'Bert Lund' }], more: true });
    await sql`delete from team.search_word where word like 'crowd%'`.execute(world.context.db);
  });

  test.each(['limit=0', 'cursor=x', 'search='])('refuses %s', async (query) => {
    expect(await world.get(world.support, `operator/members?${query}`)).toMatchObject(
      refusal(422, 'validation', query.split('=')[0]),
    );
  });
});

describe('GET operator/members/:id', () => {
  test('shows everything about one member, with unmasked email and mobile number', async () => {
    const { body } = await page(anika);
    expect(body.data).toMatchObject({
      member: {
        id: anika.memberId.toString(),
        referral_code: anika.referralCode,
        name: 'Anika Ráo',
        email: 'Anika.Rao@harbour.example',
        mobile_number: '+919876543210',
        frozen_at: null,
        verified_at: null,
        closed_at: null,
        withdrawals_frozen: null,
        security: { second_factor: false, email_verified: false },
      },
      sponsors: [{ referral_code: 'TRADEWIND', company: true }],
      team: { levels: Array(10).fill(0), total: 0 },
      balances: { primary: 450, profit: 0, trade_escrow: 0, investment: 0, withdrawal_hold: 50 },
      summary: { deposited: 500, on_hold: 50 },
      limits: { deposit_week: { amount: null, next: null }, paused_until: null },
      address: { network: 'TRC20', address: ADDRESS },
      deposits: [{ reference: deposit.reference, state: 'created' }],
      withdrawals: [{ reference: withdrawal.reference, state: 'requested' }],
      tickets: [{ reference: ticket.reference, unread: 1, state: 'open' }],
      sign_ins: [{ device: expect.any(String), address: '127.0.0.1' }],
      trades: [],
      plans: [],
    });
    expect(body.data.movements.map((line: { kind: string; wallet: string }) => [line.kind, line.wallet])).toEqual([
      ['withdrawal_hold', 'on_hold'],
      ['withdrawal_hold', 'primary'],
      ['deposit', 'primary'],
    ]);
    expect(body.data.audit.map((entry: { action: string }) => entry.action)).toContain('member.register');
  });

  test('reading is audited once in ten minutes for each operator and member', async () => {
    const readings = () =>
      world.select<{ actor_id: bigint }>(
        sql`select actor_id from audit.entry where action = 'member.read' and subject = ${`member:${bert.memberId}`} order by id`,
      );
    await page(bert);
    await page(bert);
    await world.get(world.support, `operator/members/${bert.memberId}/trades`);
    await page(bert, world.finance);
    expect((await readings()).map((row) => row.actor_id)).toEqual([world.support.operatorId, world.finance.operatorId]);
    world.clock.advance(599);
    await page(bert);
    expect(await readings()).toHaveLength(2);
    world.clock.advance(1);
    await page(bert);
    expect(await readings()).toHaveLength(3);
  });

  test('an unknown member and the company are not found', async () => {
    expect(await world.get(world.support, 'operator/members/999999')).toMatchObject(refusal(404, 'not_found'));
    const [company] = await world.select<{ id: bigint }>(sql`select id from identity.member where is_company`);
    expect(await world.get(world.support, `operator/members/${company?.id}`)).toMatchObject(refusal(404, 'not_found'));
  });

  test.each(['movements', 'trades', 'plans', 'deposits', 'withdrawals', 'tickets'])(
    'the list of %s is paged, and not found for an unknown member',
    async (list) => {
      const { body, status } = await world.get(world.support, `operator/members/${anika.memberId}/${list}?limit=1`);
      expect(status).toBe(200);
      expect(Object.keys(body.data).sort()).toEqual(['items', 'next_cursor']);
      expect(await world.get(world.support, `operator/members/999999/${list}`)).toMatchObject(
        refusal(404, 'not_found'),
      );
    },
  );

  test('a cursor of the statement continues where it stopped', async () => {
    const at = `operator/members/${anika.memberId}/movements`;
    const first = await world.get(world.support, `${at}?limit=2`);
    const next = await world.get(world.support, `${at}?limit=2&cursor=${first.body.data.next_cursor}`);
    expect(next.body.data).toMatchObject({ items: [{ kind: 'deposit' }], next_cursor: null });
  });

  test('shows since when and why withdrawals are stopped', async () => {
    await inTransaction(world.context.db, (tx) =>
      freezeWithdrawals(tx, world.context, {
        memberId: bert.memberId,
        cause: 'operator',
        why: 'asked by phone',
        actor: { kind: 'operator', id: world.support.operatorId },
      }),
    );
    expect((await page(bert)).body.data.member.withdrawals_frozen).toEqual({
      at: world.clock.now().toISOString(),
      cause: 'operator',
    });
    expect((await find(bert.referralCode)).body.data.items).toMatchObject([{ withdrawals_frozen: true }]);
  });

  test('shows that an email change is requested, and that it stops withdrawals', async () => {
    const { memberId, referralCode } = await world.addMember();
    await sql`
      insert into identity.email_request (member_id, email, requested_at)
      values (${memberId}, 'other@mail.example', ${clock.now()})`.execute(context.db);
    const shown = await world.get(world.support, `operator/members/${memberId}`);
    expect(shown.body.data.member.security.email_request).toEqual({
      email: 'o•••@mail.example',
      requested_at: clock.now().toISOString(),
      due_at: null,
    });
    expect((await find(referralCode)).body.data.items).toMatchObject([{ withdrawals_frozen: true }]);
  });
});

describe('PUT operator/members/:id/frozen', () => {
  const turn = (body: unknown, memberId: bigint | string = bert.memberId) =>
    world.send(world.support, 'PUT', `operator/members/${memberId}/frozen`, body);
  const frozenAt = async () => (await page(bert)).body.data.member.frozen_at;

  test('freezes at once without a code, and never unfreezes; a repeat is not notified again', async () => {
    await giveFunds(world.context, bert.memberId, usd(10));
    for (let time = 0; time < 2; time += 1) {
      expect(await turn({ frozen: true, why: 'reported as stolen' })).toMatchObject({ status: 200 });
    }
    expect(await frozenAt()).toBe(world.clock.now().toISOString());
    expect((await find(bert.referralCode)).body.data.items).toMatchObject([{ frozen: true }]);
    const otp = await world.support.code();
    expect(await turn({ frozen: false, why: 'was a mistake', otp })).toMatchObject(refusal(422, 'validation'));
    expect(await frozenAt()).not.toBeNull();
    const entries = await world.select<object>(sql`
      select action, actor_id, address, after from audit.entry
      where subject = ${`member:${bert.memberId}`} and action in ('member.freeze', 'member.unfreeze') order by id`);
    expect(entries).toEqual([
      {
        action: 'member.freeze',
        actor_id: world.support.operatorId,
        address: '127.0.0.1',
        after: { frozen: true, why: 'reported as stolen' },
      },
    ]);
    const told = await world.select<{ kind: string }>(sql`
      select kind from notify.notification where member_id = ${bert.memberId} and kind like 'account_%' order by id`);
    expect(told.map(({ kind }) => kind)).toEqual(['account_frozen']);
  });

  test('an unknown member and the company are not found', async () => {
    const [company] = await world.select<{ id: bigint }>(sql`select id from identity.member where is_company`);
    for (const id of ['999999', company?.id.toString() ?? '']) {
      expect(await turn({ frozen: true, why: 'reported' }, id)).toMatchObject(refusal(404, 'not_found'));
    }
  });
});

describe('PUT operator/members/:id/limits', () => {
  const tighten = (body: object, memberId: bigint | string = bert.memberId) =>
    world.send(world.support, 'PUT', `operator/members/${memberId}/limits`, {
      why: 'Asked for it on the phone.',
      ...body,
    });
  const limits = async () => (await page(bert)).body.data.limits;

  test('tightens at once and never relaxes; the member reads who did it and why', async () => {
    const amounts = { deposit_week: { amount: 100, next: null }, loss_day: { amount: 20, next: null } };
    expect(await tighten({ deposit_week: 100, loss_day: 20 })).toMatchObject({ status: 200, body: { data: amounts } });
    expect(await tighten({ deposit_week: 101 })).toMatchObject({
      ...refusal(422, 'limits_loosened'),
      body: { code: 'limits_loosened', validation_results: [{ field: 'deposit_week' }] },
    });
    expect(await tighten({ loss_day: 21, deposit_week: 50 })).toMatchObject({
      body: { code: 'limits_loosened', validation_results: [{ field: 'loss_day' }] },
    });
    expect(await limits()).toEqual({ ...amounts, paused_until: null });
    expect(await tighten({ pause_days: 2 })).toMatchObject({ status: 200 });
    expect(await tighten({ pause_days: 1 })).toMatchObject(refusal(422, 'pause_shortened'));
    const told = await world.select<{ message: string }>(sql`
      select message from notify.notification where member_id = ${bert.memberId} and kind = 'own_limits_changed' order by id`);
    expect(told.map(({ message }) => message)).toEqual([
      'Your weekly deposit limit is now $100. Your loss limit per market day is now $20. Support set this: Asked for it on the phone.',
      expect.stringMatching(/^Trading and deposits are paused until .* Support set this: Asked for it on the phone\.$/),
    ]);
    const entries = await world.select<object>(sql`
      select actor_kind, actor_id, after->>'why' as why from audit.entry
      where subject = ${`member:${bert.memberId}`} and action = 'member.set_limits' order by id`);
    const entry = { actor_kind: 'operator', actor_id: world.support.operatorId, why: 'Asked for it on the phone.' };
    expect(entries).toEqual([entry, entry]);
  });

  test('a change of nothing is neither notified nor audited', async () => {
    const count = () => world.select<object>(sql`select id from audit.entry where action = 'member.set_limits'`);
    const before = await count();
    expect(await tighten({})).toMatchObject({ status: 200 });
    expect(await tighten({ loss_day: 20 })).toMatchObject({ status: 200 });
    expect(await count()).toEqual(before);
  });

  test('of an unknown member, the company and a closed account are refused, and so is an invalid limit', async () => {
    const [company] = await world.select<{ id: bigint }>(sql`select id from identity.member where is_company`);
    for (const id of ['999999', company?.id.toString() ?? '']) {
      expect(await tighten({ loss_day: 5 }, id)).toMatchObject(refusal(404, 'not_found'));
    }
    const gone = await world.addMember();
    await sql`
      update identity.member set closed_at = now(), password_hash = null, email = null, mobile_number = null
      where id = ${gone.memberId}`.execute(world.context.db);
    expect(await tighten({ loss_day: 5 }, gone.memberId)).toMatchObject(refusal(409, 'account_closed'));
    expect(await tighten({ loss_day: null })).toMatchObject(refusal(422, 'validation'));
  });
});

test('finds a member by a correction and by a trade', async () => {
  const carl = await world.addMember({ name: 'Carl Moe' });
  const proposal = await world.send(world.finance, 'POST', 'operator/adjustments', {
    member_id: carl.memberId.toString(),
    wallet_type: 'primary',
    amount: 5,
    reason: 'Fee taken twice.',
    evidence: 'Ticket Q-7M2QX4.',
  });
  const { id } = await getRow(context.db)<{ id: bigint }>`
    insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at)
    values (${carl.memberId}, 'btc', 'primary', 9, now(), now()) returning id`;
  for (const text of [proposal.body.data.reference, `Trade ${id}`])
    expect((await find(text)).body.data.items).toMatchObject([{ name: 'Carl Moe', found_by: 'reference' }]);
});
