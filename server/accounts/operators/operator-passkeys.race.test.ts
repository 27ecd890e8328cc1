import assert from 'node:assert';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { addOperatorPasskey, makeOperator, OPERATOR_PASSWORD } from '#test/worlds/operators.ts';
import { address, atOnce, times } from '../accounts-world.test-setup.ts';
import { confirmOperator, findCaller } from '../index.ts';
import { deletePasskeyChallenges, getRelyingParty } from '../passkeys/ceremonies.ts';
import { deletePasskey, listPasskeys } from '../passkeys/passkeys.ts';
import { openOperators } from './accounts/operator-accounts.test-setup.ts';
import { askLegalContact, confirmAdmin } from './legal/legal-confirmation.ts';
import { addPasskey, removePasskey, startPasskey } from './operator-passkeys.ts';

const LAWYER = 'legal@company.test';
const world = closeAfterAll(await openOperators());
const { context } = world;
const live: Context = { ...context, config: { ...context.config, mode: 'live', legalContactEmail: LAWYER } };

test('one passkey response sent ten times concurrently confirms one operation', async () => {
  const operator = await makeOperator(context, 'finance');
  const { confirm } = await addOperatorPasskey(context, operator);
  const answer = await confirm();
  const { done, refused } = await atOnce(
    times(10, async () => {
      await confirmOperator(context, operator.operatorId, answer);
      return 'confirmed';
    }),
  );
  expect(done).toEqual(['confirmed']);
  expect(new Set(refused)).toEqual(new Set(['passkey_refused']));
});

test('a response of a passkey being removed waits for the removal, which waits for nothing', async () => {
  const operator = await makeOperator(context, 'finance');
  const owner = { operatorId: operator.operatorId };
  const { confirm } = await addOperatorPasskey(context, operator);
  const [passkey] = await listPasskeys(context.db, owner);
  const answer = await confirm();
  const isWaiting = async () => (await countLockWaits(context.db)) > 0;
  const confirming = await inTransaction(context.db, async (tx) => {
    await deletePasskey(tx, owner, BigInt(passkey?.id ?? 0));
    const outcome = confirmOperator(context, operator.operatorId, answer).catch((error: unknown) => error);
    await waitFor(isWaiting, 'the answer waits for the passkey');
    await deletePasskeyChallenges(tx, owner);
    return { outcome };
  });
  expect(await confirming.outcome).toMatchObject({ code: 'passkey_refused' });
});

test('of the last two passkeys removed concurrently one is left to sign in with', async () => {
  const operator = await makeOperator(context, 'finance');
  const { operatorId } = operator;
  const { confirm, device } = await addOperatorPasskey(context, operator);
  const caller = await findCaller(context, operator.token);
  assert(caller?.kind === 'operator');
  const given = { password: OPERATOR_PASSWORD, address };
  const rp = getRelyingParty(context.config, undefined);
  const creation = await startPasskey(context, rp, operatorId, { ...given, otp: await confirm() });
  await addPasskey(context, caller, { name: 'Key', answer: device.create(creation), address });
  await sql`delete from identity.totp where operator_id = ${operatorId}`.execute(context.db);
  const [one, other] = await listPasskeys(context.db, { operatorId });
  const answers = [await confirm(), await confirm()] as const;
  const { done, refused } = await atOnce(
    [one, other].map((passkey, index) => async () => {
      const otp = answers[index] as (typeof answers)[0];
      await removePasskey(context, caller, { ...given, otp, id: BigInt(passkey?.id ?? 0) });
      return 'removed';
    }),
  );
  expect(done).toEqual(['removed']);
  // The first removal also ends the other’s challenge, or deletes the row first.
  expect(['last_second_factor', 'passkey_refused']).toContain(refused[0]);
  expect(await listPasskeys(context.db, { operatorId })).toHaveLength(1);
});

test('the legal contact gets one email about an admin, and its link confirms once, under any concurrency', async () => {
  const admin = await makeOperator(context, 'admin');
  await addOperatorPasskey(context, admin);
  const { done: sent } = await atOnce(times(5, () => askLegalContact(live)));
  expect(sent.toSorted()).toEqual([0, 0, 0, 0, 1]);
  const mails = await world.emailsTo(LAWYER);
  expect(mails).toHaveLength(1);
  const token = /confirm-admin#(\S+)/.exec(mails[0]?.text ?? '')?.[1] ?? '';
  const { done, refused } = await atOnce(
    times(10, async () => {
      await confirmAdmin(live, { token, address });
      return 'confirmed';
    }),
  );
  expect(done).toEqual(['confirmed']);
  expect(refused).toEqual(Array(9).fill('confirmation_over'));
});
