import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { wrongCode } from '#test/worlds/operators.ts';
import { openWorld } from '../accounts-world.test-setup.ts';
import { operate, send, sendAndRead, withdrawal } from './operation-otp.test-setup.ts';

const ROUNDS = 5;

const world = closeAfterAll(await openWorld());

test('the right code sent twenty times concurrently is used once', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await world.signUp();
    const code = await sendAndRead(world, account);
    const { done, refused } = await atOnce(times(20, () => operate(world, account, code)));
    expect(done).toEqual(['done']);
    expect(refused).toEqual(Array(19).fill('wrong_otp'));
  }
});

test('of twenty concurrent wrong codes five are compared, and the right one comes too late', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await world.signUp();
    const code = await sendAndRead(world, account);
    const { refused } = await atOnce(times(20, () => operate(world, account, wrongCode(code))));
    expect(refused).toEqual(Array(20).fill('wrong_otp'));
    expect(await world.count('identity.otp', `member_id = ${account.memberId} and tries = 5`)).toBe(1);
    await expect(operate(world, account, code)).rejects.toMatchObject({ code: 'wrong_otp' });
  }
});

test('one code for two concurrent operations confirms the one it was emailed for', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await world.signUp();
    const code = await sendAndRead(world, account);
    const other = { ...withdrawal, details: withdrawal.details.replace('100000000', '900000000') };
    const { done, refused } = await atOnce(
      times(5, async (index) => {
        await operate(world, account, code, index % 2 === 0 ? other : withdrawal);
        return index % 2 === 0 ? 'other' : 'own';
      }),
    );
    expect(done).toEqual(['own']);
    expect(refused).toEqual(Array(4).fill('wrong_otp'));
  }
});

test('a code requested twenty times concurrently is emailed once', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const account = await world.signUp();
    const { done, refused } = await atOnce(times(20, () => send(world, account)));
    expect(done).toHaveLength(1);
    expect(refused).toEqual(Array(19).fill('too_many_requests'));
    const mails = await world.emailsTo(account.input.email);
    expect(mails.filter((mail) => mail.subject.includes('code'))).toHaveLength(1);
  }
});
