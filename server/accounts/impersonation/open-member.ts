import assert from 'node:assert';
import type { Opening } from '#contract/accounts/profile.ts';
import { english } from '#contract/texts.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { describeDevice } from '../core/device.ts';
import { impersonationLife } from '../core/session-life.ts';
import { lockForSignIn } from '../members/member-sql.ts';
import { findOperatorRow } from '../operators/operator-sql.ts';
import { hashToken, makeToken } from '../secrets.ts';
import { deleteImpersonationSession, insertAuthSession } from '../sign-in/auth-session-sql.ts';
import type { OperatorCaller } from '../sign-in/find-caller.ts';
import { findTotp } from '../two-factor/totp-sql.ts';
import {
  findImpersonator,
  type ImpersonationRow,
  insertImpersonation,
  listImpersonationRows,
  updateImpersonationEnded,
} from './impersonation-sql.ts';

/**
 * Ends a look into a member's account before its time. It was the operator's doing and is told as theirs.
 *
 * @returns hashes of the tokens that ended, for the cache of callers
 */
export async function endImpersonation(
  context: Context,
  tx: Tx,
  memberId: bigint,
  openingId: bigint,
  address: string,
): Promise<Buffer[]> {
  await updateImpersonationEnded(tx, openingId, context.now());
  await writeAudit(tx, {
    actor: { kind: 'operator', id: await findImpersonator(tx, openingId) },
    action: 'member.end_opening',
    subject: `member:${memberId}`,
    after: { openingId },
    address,
  });
  return deleteImpersonationSession(tx, openingId);
}

export type OpenedMember = { readonly accessToken: string; readonly expiresAt: Date };

/**
 * Signs an operator in as a member, to see what the member sees (docs/product.md, section 8): for half an hour at most,
 * however much it is used, and for reading only, which `http/` holds every call to. Audited and told to the member in
 * the same transaction. It is over as soon as the operator's own sign-in is. Refusals: `second_factor_missing`,
 * `not_found`, `account_closed`, `session_required` for an operator who signed out meanwhile.
 */
export async function openMember(
  context: Context,
  { operatorId, authSessionId }: OperatorCaller,
  given: {
    readonly memberId: bigint;
    readonly reason: string;
    readonly userAgent: string;
    readonly address: string;
  },
): Promise<OpenedMember> {
  const { memberId, reason, address } = given;
  const openedAt = context.now();
  const accessToken = makeToken();
  const expiresAt = await inTransaction(context.db, async (tx) => {
    if ((await findTotp(tx, { operatorId }))?.isConfirmed !== true) throw new Refused('second_factor_missing');
    // Held like a sign-in of their own: an account that is being closed has no sign-ins afterwards, this one included.
    const member = await lockForSignIn(tx, memberId);
    if (member === undefined || member.isCompany) throw new Refused('not_found');
    if (member.closedAt !== null) throw new Refused('account_closed');
    const draft = { memberId, operatorId, openedFrom: authSessionId, reason, openedAt, expiresAt: endOf(openedAt) };
    const opening = await insertImpersonation(tx, draft);
    if (opening === undefined) throw new Refused('session_required');
    await insertAuthSession(tx, {
      tokenHash: hashToken(accessToken),
      memberId,
      operatorId: null,
      device: describeDevice(given.userAgent),
      address,
      idleSeconds: null,
      now: openedAt,
      expiresAt: opening.expiresAt,
      opening: { id: opening.id, openedFrom: authSessionId },
    });
    await writeAudit(tx, {
      actor: { kind: 'operator', id: operatorId },
      action: 'member.open',
      subject: `member:${memberId}`,
      after: { openingId: opening.id, reason, expiresAt: opening.expiresAt.toISOString() },
      address,
    });
    await tell(tx, { memberId, operatorId, reason });
    return opening.expiresAt;
  });
  return { accessToken, expiresAt };
}

const endOf = (openedAt: Date): Date => new Date(openedAt.getTime() + impersonationLife.seconds * 1000);

async function tell(
  tx: Tx,
  { memberId, operatorId, reason }: { readonly memberId: bigint; readonly operatorId: bigint; readonly reason: string },
): Promise<void> {
  const operator = await findOperatorRow(tx, operatorId);
  assert(operator, 'an operator who is signed in exists');
  await notifyMember(tx, { memberId, kind: 'account_opened', message: impersonationMessage(operator.name, reason) });
}

const MOST = 100;

/** When operators opened the account, newest first. Of more than a hundred the newest are told. */
export async function listOpenings(context: Context, memberId: bigint): Promise<Opening[]> {
  const now = context.now();
  return (await listImpersonationRows(context.db, memberId, MOST)).map((row) => showOpening(row, now));
}

/** One whose time is up is over, also before its row says so. */
const showOpening = (row: ImpersonationRow, now: Date): Opening => ({
  id: row.id.toString(),
  name: row.operatorName,
  reason: row.reason,
  opened_at: row.openedAt.toISOString(),
  ended_at: (row.endedAt ?? (row.expiresAt <= now ? row.expiresAt : null))?.toISOString() ?? null,
  expires_at: row.expiresAt.toISOString(),
});

/**
 * What a member reads when an operator opened their account (docs/product.md, section 8).
 *
 * `impersonationMessage('Ida Moen', 'Ticket Q-7M2QX4')` reads `Ida Moen from support viewed your account: Ticket Q-7M2QX4.
 * Support access is read-only.`
 */
const impersonationMessage = (operatorName: string, reason: string): string =>
  english.t`${operatorName} from support viewed your account: ${reason.replace(/[.]$/, '')}. Support access is read-only.`;
