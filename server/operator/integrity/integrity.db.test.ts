import { RawNode, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { endpoints } from '#contract/index.ts';
import { integrityChecks } from '#contract/operator/integrity.ts';
import { sealAudit } from '#server/audit/index.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { mountOperatorPayouts } from '#server/funds/index.ts';
import { payDue } from '#server/income/periods/pay-due.ts';
import { post, sealLedger } from '#server/ledger/index.ts';
import { getAlarms, raiseAlarm, takeDailySnapshot } from '#server/solvency/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { addTeam, settleSession } from '#test/worlds/settled-session.ts';
import { tamper } from '#test/worlds/tamper.ts';
import { mountIntegrity } from '../routes.ts';
import { checkIntegrity, checkWhenDue } from './check-integrity.ts';
import { getIntegrity } from './get-integrity.ts';

/** A member and their sponsor after a settled session with its incomes paid; everything is sealed and correct. */
const { database, context, clock } = closeAfterAll(await bootWithoutMarket('2026-02-27T09:00:00Z'));
const app = closeAfterAll(await testApp(context, mountIntegrity, mountOperatorPayouts));
const [admin, finance] = [await makeOperator(context, 'admin'), await makeOperator(context, 'finance')];
const [sponsor = 0n] = await addTeam(context, [1n]);
const [trader = 0n] = await addTeam(context, [sponsor]);
await settleSession(
  context,
  '2026-02-27',
  [sponsor, trader].map((memberId) => ({ memberId, micros: 1_000_000_000n, course: 'up' })),
);
await sql`update market.clock set at = '2026-03-02T09:00:00Z'`.execute(context.db);
await payDue(context);
await sealLedger(context);
await sealAudit(context);
await takeDailySnapshot(context);

const asOwner = (statements: string) => tamper(database, statements);
const foundBy = (findings: readonly { check: string }[]) => [...new Set(findings.map(({ check }) => check))];
const mails = () => listRows(context.db)<{ to_address: string; text: string }>`
    select to_address, text from notify.mail where subject like '%payouts stopped' order by id`;
const payouts = async () => (await app.ask('GET', 'operator/payout-switch', { token: finance.token })).body.data;
const letGoOn = async () =>
  app.ask('PUT', 'operator/payout-switch', {
    token: finance.token,
    body: { stopped: false, why: 'looked into it', otp: await finance.code() },
  });

test('an untouched ledger has no discrepancies, and every check runs', async () => {
  const checked = await checkIntegrity(context, 'new');
  expect(checked).toMatchObject({ scope: 'whole', findings: [] });
  expect(checked.checks.map(({ check }) => check)).toEqual([...integrityChecks]);
  const state = endpoints.integrity.getIntegrity.data.parse(await getIntegrity(context.db));
  expect(state).toMatchObject({ last: { state: 'passed', findings: [] }, running: null, alarms: [] });
  expect(await getAlarms(context.db)).toEqual([]);
  expect(await payouts()).toMatchObject({ stopped: false });
});

test('a discrepancy that is gone when it is checked again raises no alarm', async () => {
  const move = (signed: string) =>
    asOwner(`update ledger.account set balance = balance ${signed} where id = ${trader * 32n + 1n}`);
  let looks = 0;
  const db = context.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      const [totals] = result.rows as { members?: bigint; house?: bigint }[];
      if (totals?.members === undefined || totals.house === undefined) return result;
      looks += 1;
      if (totals.members + totals.house === 0n) return result;
      // The embedded engine executes it after this read, before the next one.
      const moved = move('- 5');
      if (database.engine === 'postgres') await moved;
      return result;
    },
  });
  await move('+ 5');
  expect(await checkIntegrity({ ...context, db }, 'new')).toMatchObject({ scope: 'new', findings: [] });
  expect(looks).toBe(2);
  expect(await getAlarms(context.db)).toEqual([]);
});

describe('each kind of fault is detected by its check', () => {
  const account = (name: number) => `${trader * 32n + BigInt(name)}`;
  const edit = (table: string, change: string, back: string, where: string) =>
    [`update ${table} set ${change} where ${where}`, `update ${table} set ${back} where ${where}`] as const;
  const faults: [string, () => readonly [string, string]][] = [
    [
      'rules',
      () => [
        'alter table ledger.transfer disable trigger append_only',
        'alter table ledger.transfer enable trigger append_only',
      ],
    ],
    ['seals', () => edit('ledger.transfer', "note = 'x'", 'note = null', 'id = 1')],
    [
      'statements',
      () => edit('ledger.account', 'balance = balance + 5', 'balance = balance - 5', `id = ${account(2)}`),
    ],
    ['sums', () => edit('ledger.account', 'balance = balance + 5', 'balance = balance - 5', `id = ${account(1)}`)],
    [
      'funds',
      () => [
        `insert into funds.withdrawal_day (member_id, day, live_micros) values (${trader}, '2026-03-01', 7)`,
        `delete from funds.withdrawal_day where member_id = ${trader}`,
      ],
    ],
    [
      'incomes',
      () => [
        'create table public.kept as select * from income.bonus_line; delete from income.bonus_line',
        'insert into income.bonus_line select * from public.kept; drop table public.kept',
      ],
    ],
    ['audit', () => edit('audit.entry', "action = 'x' || action", 'action = substr(action, 2)', 'id = 1')],
    [
      'snapshots',
      () => edit('solvency.node', 'sum = sum + 1', 'sum = sum - 1', 'slot = 1 and level = 0 and position = 0'),
    ],
    [
      'signatures',
      () => [
        'alter table signing.signature disable trigger append_only',
        'alter table signing.signature enable trigger append_only',
      ],
    ],
  ];

  test('each check has a fault here', () => {
    expect(faults.map(([check]) => check)).toEqual([...integrityChecks]);
  });

  test.each(faults)('%s', async (check, statements) => {
    const [change, back] = statements();
    await asOwner(change);
    const { findings } = await checkIntegrity(context, 'whole');
    await asOwner(back);
    expect(foundBy(findings)).toContain(check);
    expect(await getAlarms(context.db)).toMatchObject([{ cause: 'integrity' }]);
    expect((await checkIntegrity(context, 'new')).findings).toEqual([]);
    expect(await getAlarms(context.db)).toEqual([]);
    await letGoOn();
  });
});

describe('the hourly run', () => {
  const place = (key: string, amountMicros: bigint) =>
    inTransaction(context.db, (tx) =>
      post(tx, [
        {
          key,
          from: { class: 'gateway' },
          to: { memberId: trader, class: 'primary' },
          amountMicros,
          reason: 'deposit',
          reference: 'test',
          marketAt: clock.now(),
        },
      ]),
    );

  test('covers what came since the last one without discrepancies, row by row', async () => {
    expect(await checkIntegrity(context, 'new')).toMatchObject({ scope: 'new', findings: [] });
    await place('new/1', 11n);
    await place('new/2', 12n);
    await sealLedger(context);
    await place('new/3', 13n);
    expect(await checkIntegrity(context, 'new')).toMatchObject({ scope: 'new', findings: [] });
    await place('new/4', 14n);
    await asOwner(`update ledger.account set balance = balance + 1000 where id = ${trader * 32n + 1n}`);
    await place('new/5', 15n);
    const { scope, findings } = await checkIntegrity(context, 'new');
    expect(scope).toBe('new');
    expect(foundBy(findings)).toEqual(['statements', 'sums']);
    // The row that connects the new entries with the earlier ones is named, not only the sums.
    const { rows } = await sql<{ id: bigint }>`select id from ledger.transfer where key = 'new/5'`.execute(context.db);
    expect(findings[0]?.message).toContain(`transfer ${rows[0]?.id} states balance`);
    await asOwner(
      `update ledger.account set balance = balance - 1000 where id = ${trader * 32n + 1n};
       update ledger.transfer set to_balance_after = to_balance_after - 1000 where key = 'new/5';
       update ledger.transfer set hash = ledger.transfer_hash(id, from_account, to_account, amount, from_balance_after, to_balance_after,
         reverses, tx, market_at, created_at, reason, key, reference, note) where key = 'new/5'`,
    );
    expect((await checkIntegrity(context, 'new')).findings).toEqual([]);
    await letGoOn();
  });

  test('detects that the seal it starts from was replaced', async () => {
    const last = `no = (select max(no) from ledger.seal)`;
    await checkIntegrity(context, 'new');
    await asOwner(`update ledger.seal set transfer_count = transfer_count + 1 where ${last}`);
    const { scope, findings } = await checkIntegrity(context, 'new');
    await asOwner(`update ledger.seal set transfer_count = transfer_count - 1 where ${last}`);
    expect(scope).toBe('new');
    expect(foundBy(findings)).toEqual(['seals']);
  });

  test('covers everything during an alarm: the fault may lie further back', async () => {
    expect(await getAlarms(context.db)).toHaveLength(1);
    expect(await checkIntegrity(context, 'new')).toMatchObject({ scope: 'whole', findings: [] });
    expect(await getAlarms(context.db)).toEqual([]);
    await letGoOn();
  });

  test.each(['new', 'whole'] as const)('of %s clears no alarm that was raised while it ran', async (scope) => {
    let raised: Promise<void> | undefined;
    const { findings } = await checkIntegrity(context, scope, () => {
      raised ??= raiseAlarm(context, 'integrity', 'Reconciliation after a run failed: pool.');
      return 0;
    });
    await raised;
    expect(findings).toEqual([]);
    expect(await getAlarms(context.db)).toHaveLength(1);
    await checkIntegrity(context, 'new');
    expect(await getAlarms(context.db)).toEqual([]);
    await letGoOn();
  });

  test('is due at once after the clock was set back', async () => {
    await checkWhenDue(context, true);
    clock.advance(-600);
    expect(await checkWhenDue(context, false)).toMatchObject({ scope: 'new' });
    clock.advance(600);
  });

  test('is due at the start, after an hour, and on request', async () => {
    expect(await checkWhenDue(context, true)).toBeDefined();
    expect(await checkWhenDue(context, false)).toBeUndefined();
    clock.advance(3599);
    expect(await checkWhenDue(context, false)).toBeUndefined();
    clock.advance(1);
    expect(await checkWhenDue(context, false)).toMatchObject({ scope: 'new' });
    const ask = (token: string) => app.ask('POST', 'operator/integrity/run', { token });
    expect((await ask(admin.token)).body.data).toEqual({ started: true });
    expect((await ask(admin.token)).body.data).toEqual({ started: false });
    expect((await getIntegrity(context.db)).running).not.toBeNull();
    expect(await checkWhenDue(context, false)).toMatchObject({ scope: 'whole' });
    expect((await getIntegrity(context.db)).running).toBeNull();
    expect(await checkWhenDue(context, false)).toBeUndefined();
    expect(await ask(finance.token)).toMatchObject({ status: 403 });
  });

  test('of a killed worker is marked as broken when the next one starts', async () => {
    await sql`insert into integrity.run (scope, state, started_at) values ('new', 'running', ${clock.now()})`.execute(
      context.db,
    );
    await checkIntegrity(context, 'new');
    const { rows } = await sql<{ state: string }>`
      select state from integrity.run order by id desc limit 2`.execute(context.db);
    expect(rows.map(({ state }) => state)).toEqual(['passed', 'broken']);
  });

  describe('that lost the database', () => {
    const loseDatabase = context.db.withPlugin({
      transformQuery: ({ node }) => {
        if (RawNode.is(node) && node.sqlFragments.some((part) => part.includes('audit.seal')))
          throw Object.assign(new Error('terminating connection'), { code: '57P01' });
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const lose = () =>
      expect(checkWhenDue({ ...context, db: loseDatabase }, false)).rejects.toThrow('terminating connection');
    const ask = () => app.ask('POST', 'operator/integrity/run', { token: admin.token });

    test('is repeated, several times, with what it was to cover', async () => {
      await ask();
      for (let tries = 0; tries < 3; tries += 1) await lose();
      expect(await checkWhenDue(context, false)).toMatchObject({ scope: 'whole', findings: [] });
      expect(await checkWhenDue(context, false)).toBeUndefined();
    });

    test('each time is repeated hourly, not without a pause', async () => {
      await ask();
      for (let tries = 0; tries < 6; tries += 1) await lose();
      expect(await checkWhenDue(context, false)).toBeUndefined();
      clock.advance(3600);
      expect(await checkWhenDue(context, false)).toMatchObject({ scope: 'whole', findings: [] });
    });

    test('after its job expired is not repeated: it may still be running', async () => {
      await ask();
      await lose();
      clock.advance(7200);
      expect(await checkWhenDue(context, false)).toMatchObject({ scope: 'new' });
    });
  });

  test('that cannot run is a discrepancy: an unreadable ledger is not correct', async () => {
    await database.runScript('alter table audit.seal rename to hidden');
    const { findings } = await checkIntegrity(context, 'new');
    await database.runScript('alter table audit.hidden rename to seal');
    const fault = { message: 'could not run; see the server log' };
    expect(findings).toEqual([
      { check: 'audit', subject: 'audit check', ...fault },
      { check: 'signatures', subject: 'signatures check', ...fault },
    ]);
    await checkIntegrity(context, 'new');
    await letGoOn();
  });
});

test('a discrepancy stops payouts and emails each admin once; a person resumes them once resolved', async () => {
  const before = (await mails()).length;
  const at = `slot = 1 and level = 0 and position = 0`;
  await asOwner(`update solvency.node set sum = sum + 1 where ${at}`);
  await checkIntegrity(context, 'whole');
  await checkIntegrity(context, 'whole');
  const sent = (await mails()).slice(before);
  expect(sent.map(({ to_address }) => to_address)).toEqual([admin.email]);
  expect(sent[0]?.text).toContain('member 1 of snapshot 1 was modified or moved');
  expect(await payouts()).toMatchObject({ stopped: true, operator: null, why: expect.stringContaining('(snapshots)') });
  expect(await letGoOn()).toMatchObject(refusal(409, 'books_wrong'));

  await asOwner(`update solvency.node set sum = sum - 1 where ${at}`);
  await checkIntegrity(context, 'whole');
  expect(await getAlarms(context.db)).toEqual([]);
  expect(await payouts()).toMatchObject({ stopped: true });
  expect(await letGoOn()).toMatchObject({ status: 200 });
  expect(await payouts()).toMatchObject({ stopped: false });
  const rows = await listRows(context.db)<{ action: string }>`
    select action from audit.entry where action like 'alarm.%' or action like 'payouts.%' order by id desc limit 3`;
  expect(rows.map(({ action }) => action)).toEqual(['payouts.go_on', 'alarm.clear', 'alarm.raise']);
});

test('payouts stopped by a person before keep who, when and why, through an alarm and after it', async () => {
  const stop = { stopped: true, why: 'moving house' };
  await app.ask('PUT', 'operator/payout-switch', { token: finance.token, body: stop });
  const stopped = await payouts();
  await asOwner('update solvency.snapshot set leaves = leaves + 1 where no = 1');
  await checkIntegrity(context, 'whole');
  expect(await payouts()).toEqual(stopped);
  expect(await letGoOn()).toMatchObject({ body: { code: 'books_wrong' } });
  await asOwner('update solvency.snapshot set leaves = leaves - 1 where no = 1');
  await checkIntegrity(context, 'whole');
  expect(await payouts()).toEqual(stopped);
  expect(await letGoOn()).toMatchObject({ status: 200 });
});
