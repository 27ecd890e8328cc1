import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { executeDueOperatorChanges } from '#server/accounts/index.ts';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openEmptyDatabase } from '#test/database/database.ts';
import { openConsoleWorld, usd } from '#test/worlds/console-world.ts';
import { makeOperator } from '#test/worlds/operators.ts';

/**
 * A database from before `0038-approvals.sql`, in which each kind had its own table, with one pending and one of each
 * final state. Pending ones can be decided, final ones are still listed as they were.
 */

/** Of its people: Ines and Olga, admins. */
const [ines, olga] = [1, 2];
/** The company is the first member; the correction concerns the next one. */
const MEMBER = 2;
const terms = (bps: number) => JSON.stringify({ ...firstFeePlan, trade_fee_bps: bps });
const decided = (by: number, note: string | null = null) =>
  `2, ${ines}, '2026-02-01T10:00:00Z', ${by}, '2026-02-02T10:00:00Z', ${note === null ? 'null' : `'${note}'`}`;
const waiting = `1, ${ines}, '2026-02-03T10:00:00Z', null, null, null`;

const oldRows = `
  insert into identity.operator (email, name, role, password_hash, created_at, admin_at)
  values ('ines@mail.test', 'Ines', 'admin', 'x', '2026-01-01Z', '2026-01-01Z'),
    ('olga@mail.test', 'Olga', 'admin', 'x', '2026-01-01Z', '2026-01-01Z');

  insert into operator.adjustment
    (reference, member_id, wallet, signed_micros, reason, evidence, state, version, proposed_by, proposed_at, decided_by,
     decided_at, note, transfer_id)
  values ('AD-AAAAAA', ${MEMBER}, 'primary', 5000000, 'Fee twice.', 'Ticket.', 'posted', ${decided(olga)}, 71),
    ('AD-BBBBBB', ${MEMBER}, 'profit', -1, 'Fee twice.', 'Ticket.', 'rejected', ${decided(olga, 'No.')}, null),
    ('AD-CCCCCC', ${MEMBER}, 'profit', -1, 'Fee twice.', 'Ticket.', 'withdrawn', ${decided(ines)}, null),
    ('AD-DDDDDD', ${MEMBER}, 'primary', 9000000000000000, 'Large.', 'Ticket.', 'proposed', ${waiting}, null),
    ('AD-EEEEEE', ${MEMBER}, 'primary', 2000000, 'Once more.', 'Ticket.', 'proposed', ${waiting}, null);

  insert into operator.treasury_move
    (reference, kind, source, amount_micros, reason, transaction, state, version, proposed_by, proposed_at, decided_by,
     decided_at, note, transfer_id)
  values ('TM-AAAAAA', 'capital_in', null, 1000000, 'Capital.', '0xfeed01', 'posted', ${decided(olga)}, 72),
    ('TM-BBBBBB', 'revenue_out', 'fee_revenue', 1000000, 'Out.', '0xfeed02', 'rejected', ${decided(olga, 'No.')}, null),
    ('TM-CCCCCC', 'capital_in', null, 3000000, 'More.', '0xfeed03', 'proposed', ${waiting}, null);

  insert into operator.fee_plan_proposal
    (reference, terms, base_plan_id, reason, state, version, proposed_by, proposed_at, decided_by, decided_at, note, plan_id)
  values ('FP-AAAAAA', '${terms(31)}', 1, 'Cheaper.', 'withdrawn', ${decided(ines)}, null),
    ('FP-BBBBBB', '${terms(32)}', 1, 'Cheaper.', 'proposed', ${waiting}, null);

  insert into identity.operator_proposal
    (kind, operator_id, name, email, role, why, proposed_by, proposed_at, needs_approval, approved_by, approved_at, due_at,
     done_at, withdrawn_by, withdrawn_at)
  values
    ('invite', ${olga}, 'Olga', 'olga@mail.test', 'admin', 'First.', ${ines}, '2026-01-01Z', false, null, null, '2026-01-01Z',
     '2026-01-01Z', null, null),
    ('reset', ${olga}, 'Olga', 'olga@mail.test', 'admin', 'Phone.', ${ines}, '2026-01-02Z', true, null, null, null, null,
     ${ines}, '2026-01-03Z'),
    ('invite', null, 'Bert', 'bert@mail.test', 'finance', 'More work.', ${ines}, '2026-02-01Z', true, ${olga}, '2026-02-02Z',
     '2026-02-03Z', null, null, null),
    ('invite', null, 'Carl', 'carl@mail.test', 'admin', 'More work.', ${ines}, '2026-02-01Z', true, null, null, null, null,
     null, null);`;

const database = await openEmptyDatabase();
await migrate(
  database,
  readMigrations().filter(({ number }) => number < 38),
);
await database.runScript(oldRows);
await migrate(database);
const world = closeAfterAll(await openConsoleWorld(database));
const admin = await makeOperator(world.context, 'admin');
const member = await world.addMember({ name: 'Anika Rao', dollars: 10 });
expect(member.memberId).toBe(BigInt(MEMBER));
await world.addSurplus(100);

const list = async (path: string) => (await world.get(admin, path)).body.data.items;
const approve = async (path: string, body: object = { version: 1 }) =>
  world.send(admin, 'POST', `${path}/approve`, { ...body, otp: await admin.code() });

const proposed = { proposed_by: { id: '1', name: 'Ines' }, proposed_at: '2026-02-01T10:00:00.000Z' };
const byOlga = { ...proposed, decided_by: { id: '2', name: 'Olga' }, decided_at: '2026-02-02T10:00:00.000Z' };
const byInes = { ...byOlga, decided_by: { id: '1', name: 'Ines' } };
const open = { state: 'proposed', version: 1, proposer_counts: true, decided_by: null, decided_at: null, note: null };

test('corrections, moves and fee plans are listed as they were, under their ids', async () => {
  expect(await list('operator/adjustments')).toMatchObject([
    { id: '5', reference: 'AD-EEEEEE', amount: 2, ...open },
    { id: '4', reference: 'AD-DDDDDD', amount: 9_000_000_000, ...open },
    { id: '3', state: 'withdrawn', note: null, ...byInes },
    { id: '2', state: 'rejected', note: 'No.', wallet_type: 'profit', amount: -0.000001, ...byOlga },
    {
      id: '1',
      state: 'posted',
      version: 2,
      transfer_id: '71',
      member: { name: 'Anika Rao' },
      evidence: 'Ticket.',
      ...byOlga,
    },
  ]);
  expect(await list('operator/treasury/moves')).toMatchObject([
    { id: '3', reference: 'TM-CCCCCC', kind: 'capital_in', source: null, amount: 3, transaction: '0xfeed03', ...open },
    { id: '2', state: 'rejected', note: 'No.', kind: 'revenue_out', source: 'fee_revenue', ...byOlga },
    { id: '1', state: 'posted', transfer_id: '72', reason: 'Capital.', ...byOlga },
  ]);
  expect(await list('operator/fee-plans/proposals')).toMatchObject([
    { id: '2', terms: { ...firstFeePlan, trade_fee_bps: 32 }, base_id: '1', plan_id: null, ...open },
    { id: '1', state: 'withdrawn', ...byInes },
  ]);
});

test('changes of operators are listed as they were', async () => {
  expect(await list('operator/proposals')).toMatchObject([
    { id: '4', kind: 'invite', state: 'waiting', role: 'admin', operator_id: null, due_at: null, may_approve: true },
    {
      id: '3',
      state: 'approved',
      approved_by: { name: 'Olga' },
      approved_at: '2026-02-02T00:00:00.000Z',
      due_at: '2026-02-03T00:00:00.000Z',
      ended_at: null,
    },
    {
      id: '2',
      kind: 'reset',
      state: 'withdrawn',
      withdrawn_by: { name: 'Ines' },
      ended_at: '2026-01-03T00:00:00.000Z',
    },
    {
      id: '1',
      state: 'done',
      operator_id: '2',
      why: 'First.',
      needs_approval: false,
      approved_by: null,
      ended_at: '2026-01-01T00:00:00.000Z',
    },
  ]);
});

test('pending proposals are decided, and new ones have new ids', async () => {
  const { amount, ...correction } = {
    member_id: `${MEMBER}`,
    wallet_type: 'primary',
    reason: 'r',
    evidence: 'e',
    amount: 1,
  };
  expect(await approve('operator/adjustments/5')).toMatchObject({ status: 200, body: { data: { state: 'posted' } } });
  const [transfer] = await world.select<object>(sql`
    select amount, reference from ledger.transfer where key = 'adjustment/5/correction'`);
  expect(transfer).toEqual({ amount: usd(2), reference: 'AD-EEEEEE' });
  expect(await approve('operator/treasury/moves/3')).toMatchObject({ body: { data: { state: 'posted', amount: 3 } } });
  expect(await approve('operator/fee-plans/proposals/2')).toMatchObject({ body: { data: { plan_id: '2' } } });
  const reply = await world.send(admin, 'POST', 'operator/adjustments', { ...correction, amount });
  expect(reply.body.data.id).toBe('6');
  expect(await approve('operator/proposals/4', {})).toMatchObject({ body: { data: { state: 'approved' } } });
  world.clock.advance(86_400);
  expect(await executeDueOperatorChanges(world.context)).toBe(2);
  const invited = await world.select<{ email: string }>(sql`
    select email from identity.operator where email in ('bert@mail.test', 'carl@mail.test') order by email`);
  expect(invited.map(({ email }) => email)).toEqual(['bert@mail.test', 'carl@mail.test']);
  expect(await world.findings()).toEqual([]);
});

test('the old tables are gone', async () => {
  const left = await world.select<object>(sql`
    select table_name from information_schema.tables
    where table_name in ('adjustment', 'treasury_move', 'fee_plan_proposal', 'operator_proposal')`);
  expect(left).toEqual([]);
});
