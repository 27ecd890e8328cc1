import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { findValue, listRows, listValues } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { scratchFolder } from '#test/kit/scratch-folder.ts';
import { testContext } from '#test/worlds/builders.ts';
import { type EmailTransport, type Notice, notifyMembers, queueEmail, sendDueEmails, setRecipient } from '../index.ts';
import { getMailPreferences, setMailPreferences } from './email-preferences.ts';

const anna = 1n;
const bert = 2n;
const database = closeAfterAll(await openTestDatabase());
const webDir = mkdtempSync(join(scratchFolder(), 'tradewind-texts-'));
mkdirSync(join(webDir, 'texts'));
writeFileSync(join(webDir, 'texts/de.json'), JSON.stringify({ 'A subject': 'Ein Betreff', 'A text.': 'Ein Text.' }));
closeAfterAll({ close: async () => rmSync(webDir, { recursive: true }) });
const made = testContext(database);
const context = { ...made, config: { ...made.config, webDir } };
await inTransaction(database.db, async (tx) => {
  await setRecipient(tx, { memberId: anna, name: 'Anna', address: 'anna@mail.test' });
  await setRecipient(tx, { memberId: bert, name: 'Bert', address: 'bert@mail.test' });
});
beforeEach(async () => {
  await sql`delete from notify.mail`.execute(database.db);
});

const tell = (...notices: Notice[]) => inTransaction(database.db, (tx) => notifyMembers(tx, notices));
const mails = () => listValues(database.db)<string>`
    select to_name || ': ' || subject as line from notify.mail order by id`;
const mail = { subject: 'A subject', text: 'A text.' };
const credited = (memberId: bigint): Notice => ({ memberId, kind: 'deposit_credited', message: 'Credited.', mail });
const settled = (memberId: bigint): Notice => ({
  memberId,
  kind: 'session_settled',
  message: 'The session of 4 March is settled: +$12.40. See your portfolio.',
});

test('by default a member is emailed about deposits and tickets, not about incomes and trading', async () => {
  expect(await getMailPreferences(database.db, anna)).toEqual({
    deposits: true,
    tickets: true,
    incomes: false,
    trading: false,
    language: 'en',
  });
  await tell(credited(anna), settled(anna));
  expect(await mails()).toEqual(['Anna: A subject']);
});

test('a topic turned off is notified in the drawer alone, and only for the member who turned it off', async () => {
  await setMailPreferences(context, anna, { deposits: false });
  await tell(credited(anna), credited(bert));
  expect(await mails()).toEqual(['Bert: A subject']);
  const rows = await listRows(database.db)<{ n: number }>`
    select count(*)::int as n from notify.notification where member_id = ${anna} and kind = 'deposit_credited'`;
  expect(rows[0]?.n).toBe(2);
  expect(await setMailPreferences(context, anna, { deposits: true })).toMatchObject({ deposits: true });
});

test('a topic turned on is emailed in the words of the notification', async () => {
  await setMailPreferences(context, bert, { trading: true });
  await tell(settled(anna), settled(bert));
  expect(await mails()).toEqual(['Bert: The session of 4 March is settled']);
  expect(await findValue(database.db)<string>`select text from notify.mail`).toBe(
    'The session of 4 March is settled: +$12.40. See your portfolio.\n',
  );
});

test('emails that protect an account are sent whatever was chosen', async () => {
  const nothing = { deposits: false, tickets: false, incomes: false, trading: false };
  await setMailPreferences(context, anna, nothing);
  await tell(
    { memberId: anna, kind: 'withdrawal_requested', message: 'Asked.', mail },
    { memberId: anna, kind: 'new_device', message: 'New sign-in.', mail },
    { memberId: anna, kind: 'deposit_taken_back', message: 'Taken back.', mail },
    { memberId: anna, kind: 'ticket_answered', message: 'Answered.', mail },
  );
  expect(await mails()).toEqual(Array(3).fill('Anna: A subject'));
});

test('a choice is in the audit log with its previous value', async () => {
  await setMailPreferences(context, bert, { tickets: false });
  const rows = await listRows(database.db)<{ before: object; after: object }>`
    select before, after from audit.entry
    where action = 'member.change_mail_preferences' and subject = 'member:2' order by id desc limit 1`;
  expect(rows[0]).toMatchObject({ before: { tickets: true }, after: { tickets: false } });
});

test('a chosen language applies to queued emails too; other accounts, also of the same address, and unknown addresses get English', async () => {
  expect(await setMailPreferences(context, anna, { language: 'de', deposits: true })).toMatchObject({
    language: 'de',
    deposits: true,
  });
  await tell(credited(anna), credited(bert));
  await inTransaction(database.db, async (tx) => {
    await setRecipient(tx, { memberId: 3n, name: 'Second account', address: 'anna@mail.test' });
    await queueEmail(tx, { memberId: 3n, to: { name: 'Second account', address: 'anna@mail.test' }, ...mail });
    await queueEmail(tx, { to: { name: 'Anna', address: 'ANNA@mail.test' }, ...mail });
    await queueEmail(tx, { to: { name: 'Carl', address: 'carl@mail.test' }, ...mail });
  });
  const sent: string[] = [];
  const transport: EmailTransport = {
    send: async ({ to, subject, text }) => void sent.push(`${to.name}: ${subject}. ${text}`),
    close: () => {},
  };
  await sendDueEmails(context, transport);
  const german = 'Anna: Ein Betreff. Ein Text.';
  const english = ['Bert', 'Carl', 'Second account'].map((name) => `${name}: A subject. A text.`);
  expect(sent.sort()).toEqual([german, german, ...english]);
  expect(await setMailPreferences(context, anna, { language: 'en' })).toMatchObject({ language: 'en' });
});

test('a language without a catalogue is refused by field', async () => {
  const refusal = { code: 'validation', field: 'language', reason: 'This language is not available.' };
  await expect(setMailPreferences(context, anna, { language: 'fr' })).rejects.toMatchObject(refusal);
  expect(await getMailPreferences(database.db, anna)).toMatchObject({ language: 'en' });
});
