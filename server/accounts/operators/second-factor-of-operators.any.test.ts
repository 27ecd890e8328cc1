import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { ensureCompany, mountOperators, registerOperator } from '#server/accounts/index.ts';
import { mountOutbox } from '#server/notify/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { savedLog } from '#test/kit/kept-log.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { codeAt, makeOperator, OPERATOR_PASSWORD, wrongCode } from '#test/worlds/operators.ts';

const clock = testClock();
const { lines: logged, log } = savedLog();

const database = closeAfterAll(await openTestDatabase());
const context = {
  ...testContext(database, clock, { SIGN_IN_LIMIT: '100000' }),
  log,
};
await ensureCompany(context);
const app = closeAfterAll(await testApp(context, mountAccounts, mountOperators, mountOutbox));
// Codes of earlier tests are a day old.
beforeEach(() => clock.advance(86_400));

let made = 0;
const makePlain = async () => {
  made += 1;
  const email = `plain${made}@mail.test`;
  await registerOperator(context, { email, name: 'Olga', role: 'support', password: OPERATOR_PASSWORD });
  const reply = await login(email);
  return { email, token: reply.body.data.access_token as string };
};
const login = (email: string, password = OPERATOR_PASSWORD) =>
  app.ask('POST', 'operator/login', { body: { email, password } });
const verify = (body: unknown) => app.ask('POST', 'operator/otp-verify', { body });
const start = (token: string | undefined, body: unknown = { password: OPERATOR_PASSWORD }) =>
  app.ask('POST', 'operator/totp/start', { ...(token === undefined ? {} : { token }), body });
const confirm = (token: string | undefined, body: unknown) =>
  app.ask('POST', 'operator/totp/confirm', { ...(token === undefined ? {} : { token }), body });

describe('POST operator/otp-verify', () => {
  test('answers an unknown challenge, a wrong code and a used one with identical bytes', async () => {
    const operator = await makeOperator(context, 'finance');
    const challenge = async () => (await login(operator.email)).body.data.challenge as string;
    const otp = await operator.code();
    await verify({ challenge: await challenge(), otp });
    const replies = [
      await verify({ challenge: 'no such challenge', otp }),
      await verify({ challenge: await challenge(), otp: wrongCode(otp) }),
      await verify({ challenge: await challenge(), otp }),
    ];
    expect(replies[0]).toMatchObject(refusal(422, 'wrong_second_factor', 'otp'));
    for (const reply of replies) expect(reply.text).toBe(replies[0]?.text);
  });

  test.each([[{ challenge: 'x', otp: '12345' }], [{ challenge: 'x', otp: '12345a' }]])(
    '%j names the code',
    async (body) => {
      expect(await verify(body)).toMatchObject(refusal(422, 'validation', 'otp'));
    },
  );
});

test('no secret, code, challenge or token reaches the log or the audit log', async () => {
  const { email, token } = await makePlain();
  const { secret, uri } = (await start(token)).body.data;
  const bytes = base32nopad.decode(secret);
  const first = codeAt(bytes, clock.now());
  await confirm(token, { otp: first });
  clock.advance(30);
  const { challenge } = (await login(email)).body.data;
  await verify({ challenge, otp: first });
  const second = codeAt(bytes, clock.now());
  const whole = await verify({ challenge, otp: second });
  const { rows } = await sql<{ entries: string }>`
    select coalesce(json_agg(entry)::text, '') as entries from audit.entry as entry`.execute(database.db);
  const log = logged.join('');
  const audit = rows[0]?.entries ?? '';
  expect(log).toContain('operator two-factor code refused');
  expect(audit).toContain('operator.confirm_second_factor');
  for (const word of [secret, uri, challenge, whole.body.data.access_token, Buffer.from(bytes).toString('hex')]) {
    expect(log.includes(word), word).toBe(false);
    expect(audit.includes(word), word).toBe(false);
  }
  for (const code of [first, second]) {
    expect(new RegExp(`(^|\\D)${code}(\\D|$)`).test(log), code).toBe(false);
    expect(new RegExp(`"${code}"`).test(audit), code).toBe(false);
  }
});
