import type { Tx } from '#server/db/connect.ts';
import type { SessionLife } from '../core/session-life.ts';
import { hashToken, makeToken } from '../secrets.ts';
import { insertAuthSession } from './auth-session-sql.ts';

type Owner = { readonly memberId: bigint } | { readonly operatorId: bigint };

/** Stores a new sign-in and returns its token, which exists nowhere else. */
export async function beginSession(
  tx: Tx,
  owner: Owner,
  given: { readonly life: SessionLife; readonly device: string; readonly address: string; readonly now: Date },
): Promise<string> {
  const token = makeToken();
  await insertAuthSession(tx, {
    tokenHash: hashToken(token),
    memberId: 'memberId' in owner ? owner.memberId : null,
    operatorId: 'operatorId' in owner ? owner.operatorId : null,
    device: given.device,
    address: given.address,
    idleSeconds: given.life.isIdle ? given.life.seconds : null,
    now: given.now,
    expiresAt: new Date(given.now.getTime() + given.life.seconds * 1000),
  });
  return token;
}
