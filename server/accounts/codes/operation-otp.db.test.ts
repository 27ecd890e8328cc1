import { describe, expect, test } from 'vitest';
import type { MemberCaller } from '#server/caller.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { wrongCode } from '#test/worlds/operators.ts';
import { address, openWorld, password, refusedTimes } from '../accounts-world.test-setup.ts';
import { claimOtpTry, findCaller, purgeExpired, sendEmailOtp } from '../index.ts';
import { changePassword } from '../passwords/change-password.ts';
import { operate, readCode, send, sendAndRead, withdrawal } from './operation-otp.test-setup.ts';

const world = closeAfterAll(await openWorld());

const wrong = { code: 'wrong_otp', status: 422 };
const newAddress = {
  purpose: 'address',
  details: 'TRC20/TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  what: 'the TRC20 address TJRa bPrw bZy4 5sba vfcj inPJ C18k jpRT v8 for your withdrawals',
} as const;

describe('an emailed code', () => {
  test('confirms the operation it was requested for, once', async () => {
    const account = await world.signUp();
    const code = await sendAndRead(world, account);
    expect(code).toMatch(/^\d{6}$/);
    expect(await operate(world, account, code)).toBe('done');
    await expect(operate(world, account, code)).rejects.toMatchObject(wrong);
  });

  test.each([
    ['amount', '100000001/primary/TRC20/TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
    ['wallet', '100000000/profit/TRC20/TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
    ['network', '100000000/primary/ERC20/TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
    ['address', '100000000/primary/TRC20/TJRabPrwbZy45sbavfcjinPJC18kjpRTv9'],
    ['text', ''],
  ])('is wrong for another %s, and still right for its own', async (_what, details) => {
    const account = await world.signUp();
    const code = await sendAndRead(world, account);
    await expect(operate(world, account, code, { ...withdrawal, details })).rejects.toMatchObject(wrong);
    expect(await operate(world, account, code)).toBe('done');
  });

  test('is wrong for another purpose, whether or not that one has a code of its own', async () => {
    const account = await world.signUp();
    const code = await sendAndRead(world, account);
    const elsewhere = { ...withdrawal, purpose: 'address' } as const;
    await expect(operate(world, account, code, elsewhere)).rejects.toMatchObject(wrong);
    const other = await sendAndRead(world, account, newAddress);
    if (other !== code) await expect(operate(world, account, code, newAddress)).rejects.toMatchObject(wrong);
    expect(await operate(world, account, other, newAddress)).toBe('done');
    expect(await operate(world, account, code)).toBe('done');
  });

  test('is wrong for another account that requested the same', async () => {
    const [one, other] = [await world.signUp(), await world.signUp()];
    const [code, codeOfOther] = [await sendAndRead(world, one), await sendAndRead(world, other)];
    if (code !== codeOfOther) await expect(operate(world, other, code)).rejects.toMatchObject(wrong);
    expect(await operate(world, other, codeOfOther)).toBe('done');
  });

  test('is wrong once a newer one is sent', async () => {
    const account = await world.signUp();
    const old = await sendAndRead(world, account);
    world.clock.advance(60);
    const code = await sendAndRead(world, account);
    if (old !== code) await expect(operate(world, account, old)).rejects.toMatchObject(wrong);
    expect(await operate(world, account, code)).toBe('done');
  });

  test('expires after ten minutes', async () => {
    const account = await world.signUp();
    const { expiresAt } = await send(world, account);
    const code = await readCode(world, account);
    world.clock.set(new Date(expiresAt.getTime() - 1));
    await expect(operate(world, account, wrongCode(code))).rejects.toMatchObject(wrong);
    expect(await world.count('identity.otp', `member_id = ${account.memberId} and tries = 1`)).toBe(1);
    world.clock.set(expiresAt);
    await expect(operate(world, account, code)).rejects.toMatchObject(wrong);
    await purgeExpired(world.context);
    expect(await world.count('identity.otp', `member_id = ${account.memberId}`)).toBe(0);
  });

  test('allows five tries: it works at the fifth, and no longer at the sixth', async () => {
    const [fifth, sixth] = [await world.signUp(), await world.signUp()];
    const [codeOfFifth, code] = [await sendAndRead(world, fifth), await sendAndRead(world, sixth)];
    await refusedTimes(4, () => operate(world, fifth, wrongCode(codeOfFifth)), wrong);
    expect(await operate(world, fifth, codeOfFifth)).toBe('done');
    await refusedTimes(5, () => operate(world, sixth, wrongCode(code)), wrong);
    await expect(operate(world, sixth, code)).rejects.toMatchObject(wrong);
    expect(await world.count('identity.otp', `member_id = ${sixth.memberId} and tries = 5`)).toBe(1);
  });

  test('survives the rollback of its operation, and the try stays counted', async () => {
    const account = await world.signUp();
    const code = await sendAndRead(world, account);
    const fail = async () => {
      throw new Error('undone');
    };
    await expect(operate(world, account, code, withdrawal, fail)).rejects.toThrow('undone');
    expect(await world.count('identity.otp', `member_id = ${account.memberId} and tries = 1`)).toBe(1);
    expect(await operate(world, account, code)).toBe('done');
  });

  test('cannot be tried inside the operation, whose rollback would undo the count', async () => {
    const { memberId } = await world.signUp();
    const tried = { memberId, purpose: 'withdrawal', now: world.context.now() } as const;
    await expect(inTransaction(world.database.db, (tx) => claimOtpTry(tx, tried))).rejects.toThrow('a try counts');
  });

  test('is void after a change of the password', async () => {
    const account = await world.signUp();
    const code = await sendAndRead(world, account);
    const caller = (await findCaller(world.context, await world.signIn(account.referralCode))) as MemberCaller;
    await changePassword(world.context, caller, { currentPassword: password, password: 'gale force nine', address });
    await expect(operate(world, account, code)).rejects.toMatchObject(wrong);
  });

  test('appears in the email and nowhere in the database', async () => {
    const account = await world.signUp();
    const code = await sendAndRead(world, account);
    const row = `member_id = ${account.memberId}`;
    expect(await world.count('identity.otp', `${row} and length(code_hash) = 32`)).toBe(1);
    expect(await world.count('identity.otp', `${row} and encode(code_hash, 'escape') like '%${code}%'`)).toBe(0);
    expect(await world.count('audit.entry', `coalesce(after::text, '') like '%"${code}"%'`)).toBe(0);
    expect((await world.listActions(`member:${account.memberId}`)).at(-1)).toBe('member.mail_operation_code');
  });
});

describe('the email', () => {
  test('states in full what is confirmed, and until when; its subject carries no code', async () => {
    const account = await world.signUp({ email: 'anna@mail.example' });
    world.clock.set('2026-03-04T12:00:00Z');
    const sent = await send(world, account);
    expect(sent).toEqual({
      sentTo: 'a•••@mail.example',
      expiresAt: new Date('2026-03-04T12:10:00Z'),
      resendAt: new Date('2026-03-04T12:01:00Z'),
    });
    const mail = (await world.emailsTo('anna@mail.example')).at(-1);
    const code = await readCode(world, account);
    expect(mail?.subject).toBe('Your withdrawal code');
    expect(mail?.text).toContain(
      `With this code the Registered Id ${account.referralCode} confirms a withdrawal of 100.00$ from the primary wallet to the TRC20 address TJRa bPrw bZy4 5sba vfcj inPJ C18k jpRT v8.`,
    );
    expect(mail?.text).toContain(
      `The code is ${code}. It works once, for this only, until 12:10 UTC. Nobody will ever ask you for it.`,
    );
    world.clock.advance(60);
    await send(world, account, newAddress);
    expect((await world.emailsTo('anna@mail.example')).at(-1)?.subject).toBe('Your payout address code');
  });

  test('is sent again after a minute, not before, and the first code stays valid', async () => {
    const account = await world.signUp();
    const code = await sendAndRead(world, account);
    const tooMany = { code: 'too_many_requests', status: 429 };
    await expect(send(world, account)).rejects.toMatchObject({ ...tooMany, retryAfterSeconds: 60 });
    world.clock.advance(59);
    await expect(send(world, account)).rejects.toMatchObject({ ...tooMany, retryAfterSeconds: 1 });
    expect(await operate(world, account, code)).toBe('done');
    await send(world, account);
  });

  test('is sent at most twenty times a day, for both purposes together; a refused request sends nothing', async () => {
    const account = await world.signUp();
    for (let round = 0; round < 10; round += 1) {
      await send(world, account);
      await send(world, account, newAddress);
      world.clock.advance(60);
    }
    const refused = { code: 'too_many_requests', retryAfterSeconds: 86_400 - 600 };
    const mails = (await world.emailsTo(account.input.email)).length;
    for (const operation of [withdrawal, newAddress]) {
      await expect(send(world, account, operation)).rejects.toMatchObject(refused);
    }
    expect(await world.emailsTo(account.input.email)).toHaveLength(mails);
    await send(world, await world.signUp());
    world.clock.advance(86_400 - 600);
    await send(world, account);
  });

  test('that is right gives back the tries before it', async () => {
    const account = await world.signUp();
    for (let round = 0; round < 8; round += 1) {
      const code = await sendAndRead(world, account);
      await refusedTimes(4, () => operate(world, account, wrongCode(code)), wrong);
      await operate(world, account, code);
      world.clock.advance(60);
    }
  });

  test('leaves no address in the audit log, which is never deleted', async () => {
    const account = await world.signUp();
    const { memberId } = account;
    const email = 'mira.lund@mail.test';
    await inTransaction(world.database.db, (tx) =>
      sendEmailOtp(tx, 'Tradewind', { memberId, email, now: world.context.now() }),
    );
    const sent = `subject = 'member:${memberId}' and action = 'member.mail_operation_code'`;
    expect(await world.count('audit.entry', sent)).toBe(2);
    for (const text of [email, account.input.email])
      expect(await world.count('audit.entry', `${sent} and after::text like '%${text}%'`)).toBe(0);
  });

  test('counts against the cap of its address, unless the account has verified that', async () => {
    const account = await world.signUp();
    const mails = (condition: string) => world.count('notify.mail', `member_id = ${account.memberId} and ${condition}`);
    await send(world, account);
    expect([await mails("kind = 'code'"), await mails('kind is null')]).toEqual([1, 0]);
    await world.database.runScript(
      `update identity.member set email_verified_at = now() where id = ${account.memberId}`,
    );
    world.clock.advance(60);
    await send(world, account);
    expect([await mails("kind = 'code'"), await mails('kind is null')]).toEqual([1, 1]);
  });

  test('a caller who keeps requesting codes has thirty tries in a quarter of an hour', async () => {
    const account = await world.signUp();
    for (let round = 0; round < 6; round += 1) {
      const code = await sendAndRead(world, account);
      await refusedTimes(5, () => operate(world, account, wrongCode(code)), wrong);
      world.clock.advance(60);
    }
    const code = await sendAndRead(world, account);
    await expect(operate(world, account, code)).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 900 - 360,
    });
    world.clock.advance(900 - 360);
    expect(await operate(world, account, code)).toBe('done');
  });
});
