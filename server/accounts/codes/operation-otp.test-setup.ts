import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import type { World } from '../accounts-world.test-setup.ts';
import { claimOtpTry, consumeOtp, sendOperationOtp } from '../index.ts';
import type { OperationOtp } from './send-operation-otp.ts';

export type Account = Awaited<ReturnType<World['signUp']>>;
export type Operation = Pick<OperationOtp, 'purpose' | 'details' | 'what'>;

export const withdrawal: Operation = {
  purpose: 'withdrawal',
  details: '100000000/primary/TRC20/TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  what: 'a withdrawal of 100.00$ from the primary wallet to the TRC20 address TJRa bPrw bZy4 5sba vfcj inPJ C18k jpRT v8',
};

export const send = (world: World, { memberId }: { memberId: bigint }, operation: Operation = withdrawal) =>
  inTransaction(world.database.db, (tx) => sendOperationOtp(tx, { memberId, ...operation, now: world.context.now() }));

/** The code of the last email to an account, as its owner reads it. */
export async function readCode(world: World, account: Account): Promise<string> {
  const last = (await world.emailsTo(account.input.email)).findLast((mail) => mail.text.includes('With this code'));
  return /The code is (\d{6})\./.exec(last?.text ?? '')?.[1] ?? 'no code';
}

export async function sendAndRead(world: World, account: Account, operation: Operation = withdrawal): Promise<string> {
  await send(world, account, operation);
  return readCode(world, account);
}

/** An operation as all are written: the try is counted, then one transaction does the work if the code is right. */
export async function operate(
  world: World,
  { memberId }: { memberId: bigint },
  otp: string,
  { purpose, details }: Pick<Operation, 'purpose' | 'details'> = withdrawal,
  work: () => Promise<void> = async () => {},
): Promise<'done'> {
  const now = world.context.now();
  if (!(await claimOtpTry(world.database.db, { memberId, purpose, now }))) throw new Refused('wrong_otp');
  return inTransaction(world.database.db, async (tx) => {
    if (!(await consumeOtp(tx, { memberId, purpose, details, otp, now }))) throw new Refused('wrong_otp');
    await work();
    return 'done' as const;
  });
}
