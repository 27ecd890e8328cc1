import { base32nopad } from '@scure/base';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OperatorCaller } from '#server/caller.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { makeAuthenticator } from '#test/worlds/authenticator.ts';
import { codeAt, makeOperator, OPERATOR_PASSWORD, type TestOperator } from '#test/worlds/operators.ts';
import { address, openWorld, refusedTimes } from '../accounts-world.test-setup.ts';
import {
  confirmOperator,
  confirmOperatorTotp,
  findCaller,
  findOperator,
  purgeExpired,
  registerOperator,
  startOperatorTotp,
} from '../index.ts';
import { getRelyingParty } from '../passkeys/ceremonies.ts';
import { addPasskey, startPasskey } from './operator-passkeys.ts';

const world = closeAfterAll(await openWorld());

const STEP = 30;
const wrong = { code: 'wrong_second_factor', status: 422 };
const at = (seconds: number) => new Date(world.context.now().getTime() + seconds * 1000);
const confirm = (operatorId: bigint, otp: string) => confirmOperator(world.context, operatorId, otp);
/** No code of this secret for now, nor for the adjacent steps. */
const wrongFor = ({ secret }: { secret: Uint8Array }) => {
  const right = [-STEP, 0, STEP].map((seconds) => codeAt(secret, at(seconds)));
  return ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code)) ?? '';
};
const start = (operatorId: bigint, word = OPERATOR_PASSWORD) =>
  startOperatorTotp(world.context, operatorId, { password: word, address });

describe('an operator account', () => {
  test('is created with its role, audited, and found by id', async () => {
    const input = { email: 'Olga@Mail.test', name: 'Olga', role: 'finance', password: 'gale force nine' } as const;
    const id = await registerOperator(world.context, input);
    expect(await findOperator(world.database.db, id)).toEqual({
      id,
      name: 'Olga',
      email: 'olga@mail.test',
      role: 'finance',
    });
    expect(await findOperator(world.database.db, 999_999n)).toBeUndefined();
    expect(await world.listActions(`operator:${id}`)).toEqual(['operator.create']);
    await expect(registerOperator(world.context, { ...input, email: 'olga@mail.test' })).rejects.toThrow(
      'operator already',
    );
    await expect(
      registerOperator(world.context, { ...input, email: 'b@mail.test', password: 'password123' }),
    ).rejects.toMatchObject({ code: 'weak_password' });
  });
});

describe('setting up the second factor', () => {
  test('requires the password and a first code, and ends the other sign-ins of this operator only', async () => {
    const { operatorId, email, token, caller } = await world.addPlainOperator();
    const elsewhere = (await world.signInAsOperator(email)).accessToken;
    const other = await world.addPlainOperator();
    await findCaller(world.context, elsewhere);
    const { secret, uri } = await start(operatorId);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const label = `Tradewind:${encodeURIComponent(email)}`;
    expect(uri).toBe(`otpauth://totp/${label}?secret=${secret}&issuer=Tradewind`);
    const otp = codeAt(base32nopad.decode(secret), world.context.now());
    await confirmOperatorTotp(world.context, caller, { otp, address });
    expect(await findCaller(world.context, token)).toEqual({ ...caller, hasSecondFactor: true });
    expect(await findCaller(world.context, elsewhere)).toBeUndefined();
    expect(await findCaller(world.context, other.token)).toEqual(other.caller);
    expect((await world.listActions(`operator:${operatorId}`)).slice(-2)).toEqual([
      'operator.start_second_factor',
      'operator.confirm_second_factor',
    ]);
    // The code that confirmed it is used up.
    await expect(confirm(operatorId, otp)).rejects.toMatchObject(wrong);
  });

  test('ends the set-up of a passkey that was started with the password alone', async () => {
    const { operatorId, caller } = await world.addPlainOperator();
    const rp = getRelyingParty(world.context.config, 'localhost:8080');
    const creation = await startPasskey(world.context, rp, operatorId, { password: OPERATOR_PASSWORD, address });
    const secret = base32nopad.decode((await start(operatorId)).secret);
    await confirmOperatorTotp(world.context, caller, { otp: codeAt(secret, world.context.now()), address });
    const answer = makeAuthenticator(rp.origins[0]).create(creation);
    await expect(addPasskey(world.context, caller, { name: 'Key', answer, address })).rejects.toMatchObject({
      code: 'passkey_refused',
    });
  });

  test('a wrong password starts nothing, and is rate limited', async () => {
    const { operatorId } = await world.addPlainOperator();
    await refusedTimes(10, () => start(operatorId, 'another word 9'), {
      code: 'wrong_password',
      field: 'password',
    });
    await expect(start(operatorId)).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 900 });
    expect(await world.count('identity.totp', `operator_id = ${operatorId}`)).toBe(0);
  });

  test('started again before it was finished, the first secret is void', async () => {
    const { operatorId, caller } = await world.addPlainOperator();
    const [first, second] = [
      base32nopad.decode((await start(operatorId)).secret),
      base32nopad.decode((await start(operatorId)).secret),
    ];
    const now = world.context.now();
    await expect(
      confirmOperatorTotp(world.context, caller, { otp: codeAt(first, now), address }),
    ).rejects.toMatchObject(wrong);
    await confirmOperatorTotp(world.context, caller, { otp: codeAt(second, now), address });
  });

  test('is refused before it is started, and once it is done', async () => {
    const { caller } = await world.addPlainOperator();
    await expect(confirmOperatorTotp(world.context, caller, { otp: '123456', address })).rejects.toMatchObject({
      code: 'second_factor_missing',
    });
    const done = await makeOperator(world.context, 'finance');
    await expect(start(done.operatorId)).rejects.toMatchObject({ code: 'second_factor_on', status: 409 });
    const doneCaller = (await findCaller(world.context, done.token)) as OperatorCaller;
    await expect(
      confirmOperatorTotp(world.context, doneCaller, { otp: await done.code(), address }),
    ).rejects.toMatchObject({ code: 'second_factor_on' });
  });

  test('ten wrong first codes are compared in an hour', async () => {
    const { operatorId, caller } = await world.addPlainOperator();
    const secret = base32nopad.decode((await start(operatorId)).secret);
    await refusedTimes(
      10,
      () => confirmOperatorTotp(world.context, caller, { otp: wrongFor({ secret }), address }),
      wrong,
    );
    const otp = codeAt(secret, world.context.now());
    await expect(confirmOperatorTotp(world.context, caller, { otp, address })).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 3600,
    });
  });
});

describe('the second factor of an operation', () => {
  let operator: TestOperator;
  beforeAll(async () => {
    operator = await makeOperator(world.context, 'finance');
  });

  test('is missing without an app, and with one that was never confirmed', async () => {
    const { operatorId } = await world.addPlainOperator();
    const missing = { code: 'second_factor_missing', status: 403 };
    await expect(confirm(operatorId, '123456')).rejects.toMatchObject(missing);
    const secret = base32nopad.decode((await start(operatorId)).secret);
    await expect(confirm(operatorId, codeAt(secret, world.context.now()))).rejects.toMatchObject(missing);
  });

  test('is consumed before the operation, whose rollback would restore the code', async () => {
    const { operatorId } = operator;
    const otp = await operator.code();
    await expect(
      inTransaction(world.database.db, (tx) => confirmOperator({ ...world.context, db: tx }, operatorId, otp)),
    ).rejects.toThrow('a code is consumed even if the operation rolls back');
  });

  test('accepts a code once, and none older than the newest accepted one', async () => {
    world.clock.advance(10 * STEP);
    const [before, now, after] = [-STEP, 0, STEP].map((seconds) => codeAt(operator.secret, at(seconds))) as [
      string,
      string,
      string,
    ];
    await confirm(operator.operatorId, now);
    await expect(confirm(operator.operatorId, now)).rejects.toMatchObject(wrong);
    await expect(confirm(operator.operatorId, before)).rejects.toMatchObject(wrong);
    await confirm(operator.operatorId, after);
    world.clock.advance(STEP);
    await expect(confirm(operator.operatorId, after)).rejects.toMatchObject(wrong);
    world.clock.advance(STEP);
    await confirm(operator.operatorId, codeAt(operator.secret, world.context.now()));
  });

  test('accepts the code of half a minute ago, and none of a minute ago', async () => {
    world.clock.advance(10 * STEP);
    await expect(confirm(operator.operatorId, codeAt(operator.secret, at(-2 * STEP)))).rejects.toMatchObject(wrong);
    await confirm(operator.operatorId, codeAt(operator.secret, at(-STEP)));
  });

  test('accepts nobody else’s code', async () => {
    const other = await makeOperator(world.context, 'finance');
    world.clock.advance(10 * STEP);
    const [own, foreign] = [codeAt(operator.secret, at(0)), codeAt(other.secret, at(0))];
    if (own !== foreign) await expect(confirm(operator.operatorId, foreign)).rejects.toMatchObject(wrong);
    await confirm(operator.operatorId, own);
    await confirm(other.operatorId, foreign);
  });

  test('compares ten wrong codes in an hour; then the right one has to wait too', async () => {
    const guessed = await makeOperator(world.context, 'finance');
    await refusedTimes(10, () => confirm(guessed.operatorId, wrongFor(guessed)), wrong);
    await expect(confirm(guessed.operatorId, await guessed.code())).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 3600,
    });
    world.clock.advance(3600);
    await confirm(guessed.operatorId, await guessed.code());
    // A right one resets the count.
    await refusedTimes(9, () => confirm(guessed.operatorId, wrongFor(guessed)), wrong);
    await confirm(guessed.operatorId, await guessed.code());
  });
});

describe('signing in with a second factor', () => {
  test('the password alone never returns a token, the code returns one, and both halves are audited', async () => {
    const operator = await makeOperator(world.context, 'admin');
    const sessions = () => world.count('identity.auth_session', `operator_id = ${operator.operatorId}`);
    const before = await sessions();
    const token = await world.challengeOperator(operator);
    expect(await sessions()).toBe(before);
    expect(await findCaller(world.context, token)).toBeUndefined();
    const { accessToken, operator: account, missing } = await world.verifyOperator(token, await operator.code());
    expect(missing).toBeNull();
    expect(account).toEqual({ id: operator.operatorId, email: operator.email, name: 'Op admin', role: 'admin' });
    expect(await findCaller(world.context, accessToken)).toMatchObject({ kind: 'operator', role: 'admin' });
    expect((await world.listActions(`operator:${operator.operatorId}`)).slice(-2)).toEqual([
      'operator.begin_sign_in',
      'operator.sign_in',
    ]);
  });

  test('a challenge works once, and a code used to sign in confirms no operation', async () => {
    const operator = await makeOperator(world.context, 'finance');
    const token = await world.challengeOperator(operator);
    const code = await operator.code();
    await world.verifyOperator(token, code);
    await expect(confirm(operator.operatorId, code)).rejects.toMatchObject(wrong);
    await expect(world.verifyOperator(token, await operator.code())).rejects.toMatchObject(wrong);
  });

  test('a challenge allows five tries: the sixth is refused even with the right code', async () => {
    const operator = await makeOperator(world.context, 'finance');
    const token = await world.challengeOperator(operator);
    await refusedTimes(5, () => world.verifyOperator(token, wrongFor(operator)), wrong);
    await expect(world.verifyOperator(token, await operator.code())).rejects.toMatchObject(wrong);
  });

  test('a new sign-in allows no more tries than ten an hour', async () => {
    const operator = await makeOperator(world.context, 'finance');
    for (let round = 0; round < 2; round += 1) {
      const token = await world.challengeOperator(operator);
      await refusedTimes(5, () => world.verifyOperator(token, wrongFor(operator)), wrong);
    }
    const last = await world.challengeOperator(operator);
    await expect(world.verifyOperator(last, await operator.code())).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 3600,
    });
    // A signed-in operator continues: a password alone cannot keep an operator from an approval.
    await confirm(operator.operatorId, await operator.code());
  });

  test('a challenge expires after five minutes, and is deleted', async () => {
    const operator = await makeOperator(world.context, 'finance');
    const token = await world.challengeOperator(operator);
    world.clock.advance(300);
    await expect(world.verifyOperator(token, await operator.code())).rejects.toMatchObject(wrong);
    await purgeExpired(world.context);
    expect(await world.count('identity.sign_in_challenge', `operator_id = ${operator.operatorId}`)).toBe(0);
  });

  test('a challenge is not a session token, and a session token is not a challenge', async () => {
    const operator = await makeOperator(world.context, 'finance');
    await expect(world.verifyOperator(operator.token, await operator.code())).rejects.toMatchObject(wrong);
    await expect(world.verifyOperator('x'.repeat(43), await operator.code())).rejects.toMatchObject(wrong);
    const token = await world.challengeOperator(operator);
    expect(await world.count('identity.sign_in_challenge', `encode(token_hash, 'escape') like '%${token}%'`)).toBe(0);
  });
});
