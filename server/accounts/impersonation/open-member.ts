import assert from 'node:assert';
import type { Opening as ShownOpening } from '#contract/accounts/profile.ts';
import type { OperatorCode } from '#contract/fields.ts';
import { operatorOpen } from '#contract/operator/members.ts';
import { supportAccessRules } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';
import { decide } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { OperatorCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { notifyMember } from '#server/notify/index.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { describeDevice } from '../core/device.ts';
import { impersonationLife } from '../core/session-life.ts';
import { findMember, lockForSignIn, type Member } from '../members/members.ts';
import { findOperator } from '../operators/operator-sql.ts';
import { operators } from '../operators/operators.ts';
import { deleteImpersonationSession, insertAuthSession } from '../sign-in/auth-session-sql.ts';
import {
  countImpersonations,
  findImpersonator,
  type ImpersonationRow,
  insertImpersonation,
  listImpersonationRows,
  lockOpenings,
  updateImpersonationEnded,
} from './impersonation-sql.ts';

/**
 * Ends an impersonation early. Audited as the operator's action.
 *
 * @returns hashes of the tokens that ended, for the caller cache
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

type Opening = {
  readonly memberId: bigint;
  readonly reason: string;
  /** The second factor; absent for programs. */
  readonly otp?: OperatorCode;
  readonly userAgent: string;
  readonly address: string;
};

/**
 * Signs an operator in as a member, to see what the member sees (docs/product.md, section 8). It lasts half an hour at
 * most and ends with the operator's own sign-in; `http/` restricts every call to reads that the operator's role
 * permits. Limited per UTC day, audited, and the member is notified in the same transaction. Refuses
 * `second_factor_missing`, `wrong_second_factor`, `not_allowed` to roles other than support and admin, `not_found`,
 * `account_closed`, `too_many_openings`, `session_required` if the operator signed out meanwhile.
 */
export async function openMember(
  context: Context,
  { operatorId, authSessionId, hasSecondFactor }: OperatorCaller,
  given: Opening,
): Promise<OpenedMember> {
  const { memberId, reason, otp, address } = given;
  if (!hasSecondFactor) throw new Refused('second_factor_missing');
  const openedAt = context.now();
  const accessToken = makeToken();
  return decide(
    context,
    { operatorId, address },
    {
      operators,
      roles: operatorOpen.openMember.access,
      otp,
      precheck: async (db) => {
        await refuseAnotherToday(db, operatorId, openedAt);
        refuseClosed(await findMember(db, memberId));
      },
      // Locked like the member's own sign-in: closing the account ends this session, too.
      lock: async (tx) => refuseClosed(await lockForSignIn(tx, memberId)),
      execute: async (tx) => {
        const draft = { memberId, operatorId, openedFrom: authSessionId, reason, openedAt, expiresAt: endOf(openedAt) };
        await lockOpenings(tx, operatorId);
        await refuseAnotherToday(tx, operatorId, openedAt);
        const opening = orRefuse(await insertImpersonation(tx, draft), 'session_required');
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
        await notifyOpened(tx, { memberId, operatorId, reason });
        return { accessToken, expiresAt: opening.expiresAt };
      },
    },
  );
}

function refuseClosed(member: Pick<Member, 'isCompany' | 'closedAt'> | undefined): void {
  if (member === undefined || member.isCompany) throw new Refused('not_found');
  if (member.closedAt !== null) throw new Refused('account_closed');
}

const DAY_MS = 86_400_000;

/** Limits how many accounts an operator opens in a real UTC day, whatever the reasons. */
async function refuseAnotherToday(db: Db, operatorId: bigint, now: Date): Promise<void> {
  const from = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const until = new Date(from.getTime() + DAY_MS);
  if ((await countImpersonations(db, operatorId, { from, until })) < supportAccessRules.maxPerDay) return;
  throw new Refused('too_many_openings', { retryAfterSeconds: Math.ceil((until.getTime() - now.getTime()) / 1000) });
}

const endOf = (openedAt: Date): Date => new Date(openedAt.getTime() + impersonationLife.seconds * 1000);

async function notifyOpened(
  tx: Tx,
  { memberId, operatorId, reason }: { readonly memberId: bigint; readonly operatorId: bigint; readonly reason: string },
): Promise<void> {
  const operator = await findOperator(tx, operatorId);
  assert(operator, 'an operator who is signed in exists');
  await notifyMember(tx, { memberId, kind: 'account_opened', message: impersonationMessage(operator.name, reason) });
}

const MAX = 100;

/** The newest hundred openings of the account by operators, newest first. */
export async function listOpenings(context: Context, memberId: bigint): Promise<ShownOpening[]> {
  const now = context.now();
  return (await listImpersonationRows(context.db, memberId, MAX)).map((row) => showOpening(row, now));
}

/** An expired one is shown as ended, even before its row is updated. */
const showOpening = (row: ImpersonationRow, now: Date): ShownOpening => ({
  id: row.id.toString(),
  name: row.operatorName,
  reason: row.reason,
  opened_at: row.openedAt.toISOString(),
  ended_at: (row.endedAt ?? (row.expiresAt <= now ? row.expiresAt : null))?.toISOString() ?? null,
  expires_at: row.expiresAt.toISOString(),
});

/**
 * The member's notification that an operator opened their account (docs/product.md, section 8).
 *
 * `impersonationMessage('Ida Moen', 'Ticket Q-7M2QX4')` reads `Ida Moen from support viewed your account: Ticket
 * Q-7M2QX4. Support access is read-only.`
 */
const impersonationMessage = (operatorName: string, reason: string): string =>
  english.t`${operatorName} from support viewed your account: ${reason.replace(/[.]$/, '')}. Support access is read-only.`;
