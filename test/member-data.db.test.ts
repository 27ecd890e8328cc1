import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { mountIdentity, mountOperators } from '#server/accounts/index.ts';
import { exportAccount } from '#server/accounts/members/export-member.ts';
import { accountParts } from '#server/app.ts';
import { exportOwnActions } from '#server/audit/index.ts';
import type { ExportSection } from '#server/db/export-sql.ts';
import { inTransaction } from '#server/db/tx.ts';
import { exportLedger } from '#server/ledger/index.ts';
import { exportMessages } from '#server/notify/index.ts';
import { createTicket, replyAsOperator } from '#server/tickets/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { memberTables } from '#test/worlds/member-tables.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';

const { database, context, clock } = closeAfterAll(await bootWithoutMarket('2026-03-04T12:00:00Z'));
const app = closeAfterAll(
  await testApp(context, (http) => mountIdentity(http, context, accountParts(context)), mountOperators),
);

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const sectionsOf = (memberId: bigint): ExportSection[] => [
  ...exportAccount(memberId),
  ...exportMessages(memberId),
  ...exportLedger(memberId),
  ...accountParts(context).sections(memberId),
  exportOwnActions(memberId),
];
const read = async (token: string) => app.ask('GET', 'profile/export', { token });

const { notExported, ...exported } = memberTables;
const listed = [
  ...Object.values(exported).flatMap((tables) => Object.entries(tables)),
  ...Object.values(notExported).flatMap((tables) => tables.map((table) => [table, []] as const)),
].map(([table, names]: readonly [string, readonly string[]]) => ({ table, names }));

test('every table that refers to a member is exported, or the reason is given', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct n.nspname || '.' || c.relname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and not a.attisdropped and n.nspname !~ '^pg_'
      and (a.attname ~ '(^|_)member_id$' or a.attname in ('sponsor_id', 'upline', 'contributors', 'actor_id', 'caller_id'))
    order by 1`.execute(database.db);
  expect(rows.map(({ name }) => name)).toEqual(listed.map(({ table }) => table).toSorted());
});

test('the table of exports matches what the queries read', () => {
  const queries = sectionsOf(2n).map((section) => ({
    name: section.name,
    text: section.rows.compile(database.db).sql,
  }));
  for (const { table, names } of listed) {
    const reading = queries.filter(({ text }) => new RegExp(`\\b${table.replace('.', '\\.')}\\b`).test(text));
    // A section named for a table reads it; other parts of the ledger and the tickets come through a related one.
    for (const name of names)
      expect(
        queries.map((query) => query.name),
        table,
      ).toContain(name);
    if (names.length > 0)
      expect(
        reading.map((query) => query.name),
        table,
      ).toContain(names[0]);
    else expect(reading, table).toEqual([]);
  }
  const named = listed.flatMap(({ names }) => names);
  expect(queries.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
  expect(new Set(queries.map(({ name }) => name)).size).toBe(queries.length);
});

test('every figure of incomes and results is exported, except extremes and claim numbers', async () => {
  const found = /^(best|worst)_(result|trade_id)$|^claim_no$/;
  const queries = sectionsOf(2n).map(({ rows }) => rows.compile(database.db).sql);
  const tables = Object.keys(memberTables.kept).filter((table) => /^income\.|_result$|equity$/.test(table));
  for (const table of tables) {
    const { rows } = await sql<{ name: string }>`
      select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(
      database.db,
    );
    const text = queries.find((query) => query.includes(`from ${table} `));
    const missing = rows.map(({ name }) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(text ?? ''));
    expect([table, missing.filter((name) => !found.test(name))]).toEqual([table, []]);
  }
});

test('no query reads a secret, the hash of one, or operators’ private notes', () => {
  for (const { name, rows } of sectionsOf(2n)) {
    const text = rows.compile(database.db).sql.replace('sha256(c.content)', '');
    expect(text, name).not.toMatch(
      /password_hash|token_hash|code_hash|alarm_hash|\bsecret\b|\bcontent\b|once_key|rehashed_from|\.\*/,
    );
    if (text.includes('support.message')) expect(text, name).toContain('not m.is_private');
  }
});

test('the file has a member’s data of all kinds, and nobody else’s', async () => {
  const sponsor = await signUp(context, { name: 'Sigrid Vale', email: 'sigrid@example.com' });
  const mira = await signUp(context, { name: 'Mira Lund', sponsorCode: sponsor.referralCode });
  const other = await signUp(context, { name: 'Otto Weiss', email: 'otto@example.com' });
  for (const { memberId } of [mira, other]) await giveFunds(context, memberId, 250_000_000n);
  const question = { subject: 'Where is it?', category: 'other', message: 'I cannot find it.' } as const;
  const { id } = await createTicket(context, mira.memberId, {
    ...question,
    attachments: [{ name: 'screen.png', type: 'image/png', content: PNG }],
  });
  await createTicket(context, other.memberId, { ...question, message: 'The words of Otto.', attachments: [] });
  const operator = await makeOperator(context, 'support');
  const colleague = actorOf(operator);
  const answer = { ticketId: BigInt(id), attachments: [] };
  await replyAsOperator(context, colleague, { ...answer, message: 'Here it is.', private: false });
  await replyAsOperator(context, colleague, { ...answer, message: 'Among ourselves.', private: true });
  await app.ask('POST', `operator/members/${mira.memberId}/open`, {
    token: operator.token,
    body: { reason: 'To look', otp: await operator.code() },
  });

  const reply = await read(mira.token);
  expect(reply.headers['content-disposition']).toContain(`tradewind-${mira.referralCode}-2026-03-04.json`);
  const file = JSON.parse(reply.text);
  expect(Object.keys(file)).toEqual(['made_at', 'registered_id', ...sectionsOf(2n).map(({ name }) => name)]);
  expect(file).toMatchObject({
    registered_id: mira.referralCode,
    account: [
      {
        name: 'Mira Lund',
        email: 'mira@example.com',
        sponsor_registered_id: sponsor.referralCode,
        sponsor_name: 'S***',
        created_at: '2026-03-04T12:00:00.000Z',
      },
    ],
    recipient: [{ name: 'Mira Lund', address: 'mira@example.com' }],
    emails: [{ to_address: 'mira@example.com' }, { subject: expect.stringContaining('Q-') }],
    opened_by_support: [{ operator_name: 'Op support', reason: 'To look' }],
    movements: [
      {
        reason: 'deposit',
        from_account: 'gateway',
        to_account: 'primary',
        amount: '250.000000',
        to_balance_after: '250.000000',
      },
    ],
    tickets: [{ subject: 'Where is it?' }],
    ticket_messages: [{ text: 'I cannot find it.' }, { text: 'Here it is.' }],
    ticket_attachments: [{ name: 'screen.png', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  });
  expect(file.accounts).toHaveLength(5);
  expect(file.sign_ins).toHaveLength(1);
  expect(file.actions.map(({ action }: { action: string }) => action)).toEqual([
    'member.register',
    'member.sign_in',
    'member.export_data',
  ]);
  for (const secret of ['Sigrid', 'Otto', 'Among ourselves', mira.token, '$argon2']) {
    expect(reply.text).not.toContain(secret);
  }
});

test('more rows than a page are complete, each once and in order', async () => {
  const nora = await signUp(context, { name: 'Nora' });
  const count = 1203;
  await inTransaction(database.db, (tx) =>
    sql`
      insert into notify.notification (member_id, kind, message)
      select ${nora.memberId}, 'test', 'Message ' || n from generate_series(1, ${count}) as n`.execute(tx),
  );
  const file = JSON.parse((await read(nora.token)).text);
  expect(file.notifications.map(({ message }: { message: string }) => message)).toEqual(
    Array.from({ length: count }, (_, index) => `Message ${index + 1}`),
  );
});

test('a sign-in older than a quarter of an hour is refused', async () => {
  const nora = await signUp(context, { name: 'Nora' });
  clock.advance(15 * 60);
  expect((await read(nora.token)).status).toBe(200);
  clock.advance(1);
  expect(await read(nora.token)).toMatchObject(refusal(403, 'fresh_sign_in_required'));
});

test('three exports a day are allowed', async () => {
  const nora = await signUp(context, { name: 'Nora' });
  for (const status of [200, 200, 200]) expect((await read(nora.token)).status).toBe(status);
  expect(await read(nora.token)).toMatchObject(refusal(429, 'too_many_exports'));
});
