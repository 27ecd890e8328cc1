import type { Tx } from '#server/db/connect.ts';
import { findTotpStep } from './totp.ts';
import { findTotp, type TotpOwner, takeStep } from './totp-sql.ts';

/**
 * Takes a code of a confirmed authenticator app, once: of twenty at the same moment one moves the step on. False for a
 * wrong, old or used code, and without an app. The caller has counted the try.
 */
export async function takeAppCode(tx: Tx, owner: TotpOwner, otp: string, now: Date): Promise<boolean> {
  const totp = await findTotp(tx, owner);
  if (totp?.isConfirmed !== true) return false;
  const step = findTotpStep(totp.secret, otp, now);
  return step !== undefined && takeStep(tx, totp.id, step);
}
