import { beforeEach, describe, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { refusal, testApp } from '#test/worlds/app.ts';
import { mountAccounts } from '#test/worlds/members.ts';
import { wrongCode } from '#test/worlds/operators.ts';
import { openWorld, password } from '../accounts-world.test-setup.ts';
import { enrol } from './second-factor.test-setup.ts';

const world = closeAfterAll(await openWorld());
const app = closeAfterAll(await testApp(world.context, mountAccounts));
beforeEach(() => world.clock.advance(86_400));

const newPassword = 'gale force nine';
const changePassword = (token: string, more: Record<string, unknown> = {}) =>
  app.ask('PUT', 'auth/password', { token, body: { current_password: password, password: newPassword, ...more } });

describe('a change of the password', () => {
  test('requires nothing more without a second factor, and ignores what it does not require', async () => {
    const [plain, other] = [await world.signUp(), await world.signUp()];
    expect((await changePassword(await world.signIn(plain.referralCode))).status).toBe(200);
    const reply = await changePassword(await world.signIn(other.referralCode), { second_factor: '123456' });
    expect(reply.status).toBe(200);
  });

  test('accepts an authenticator code, once', async () => {
    const account = await enrol(world);
    expect(await changePassword(account.token)).toMatchObject(refusal(422, 'second_factor_required', 'second_factor'));
    const code = account.code();
    expect((await changePassword(account.token, { second_factor: code })).status).toBe(200);
    const again = await changePassword(account.token, {
      current_password: newPassword,
      password: 'another gale 8',
      second_factor: code,
    });
    expect(again).toMatchObject(refusal(422, 'wrong_second_factor', 'second_factor'));
  });

  test('accepts a recovery code, once, and notifies its member', async () => {
    const account = await enrol(world);
    const [code = ''] = account.recoveryCodes;
    expect((await changePassword(account.token, { second_factor: code.toLowerCase() })).status).toBe(200);
    expect(await world.listMessages(account.memberId)).toContain(
      'A recovery code was used to confirm a change or a withdrawal. 9 are left.',
    );
    const mails = (await world.emailsTo(account.input.email)).map((mail) => mail.text);
    expect(mails.filter((text) => text.includes('confirmed a change or a withdrawal'))).toHaveLength(1);
    const again = await changePassword(account.token, { current_password: newPassword, second_factor: code });
    expect(again).toMatchObject(refusal(422, 'wrong_second_factor', 'second_factor'));
  });

  test('counts every wrong one, in the same limit as the sign-in, and changes nothing', async () => {
    const account = await enrol(world);
    for (let tries = 0; tries < 10; tries += 1) {
      const reply = await changePassword(account.token, { second_factor: wrongCode(account.code()) });
      expect(reply).toMatchObject(refusal(422, 'wrong_second_factor', 'second_factor'));
      // The password was right: its own limit is not what stops the guessing.
      if (tries === 4) world.clock.advance(900);
    }
    const right = await changePassword(account.token, { second_factor: account.code() });
    expect(right).toMatchObject(refusal(429, 'too_many_requests'));
  });

  test('of another form is bad input that names the field, and a wrong password is refused first', async () => {
    const account = await enrol(world);
    for (const second_factor of [123456, '12345', 'recovery', '']) {
      expect(await changePassword(account.token, { second_factor })).toMatchObject(
        refusal(422, 'validation', 'second_factor'),
      );
    }
    const wrong = await changePassword(account.token, { current_password: 'another word 9' });
    expect(wrong).toMatchObject(refusal(422, 'wrong_password', 'current_password'));
  });
});
