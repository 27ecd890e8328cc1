import type { Security } from '#contract/accounts/profile.ts';
import type { OwnLimits } from '#contract/accounts/sign-in.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { findRow } from '#server/db/rows.ts';
import { orRefuse } from '#server/refused.ts';
import { maskEmail } from '../core/emails.ts';
import { limitsAt } from '../core/own-limits.ts';
import { findEmailChangeDue } from '../email-change/email-change.ts';
import { findEmailRequest } from '../email-change/request-email-change.ts';
import { findStoredLimits, showLimits } from '../limits/own-limits.ts';
import { findTwoFactorEnd } from '../two-factor/keep-two-factor.ts';
import { type AuthSessionSummary, listSessionRows } from './auth-session-sql.ts';

/** The protection of an account. Refuses `not_found`. */
export async function getSecurity(db: Db, memberId: bigint): Promise<Security> {
  const row = orRefuse(await findSecurity(db, memberId), 'not_found');
  return {
    second_factor: row.hasApp || row.passkeys > 0,
    app: row.hasApp,
    passkeys: row.passkeys,
    recovery_codes_left: row.recoveryCodesLeft,
    email_verified: row.emailVerifiedAt !== null,
    password_changed_at: row.passwordChangedAt?.toISOString() ?? null,
    email_request: await showEmailRequest(db, memberId),
    second_factor_ends_at: (await findTwoFactorEnd(db, memberId))?.toISOString() ?? null,
  };
}

async function showEmailRequest(db: Db, memberId: bigint): Promise<Security['email_request']> {
  const request = await findEmailRequest(db, memberId);
  if (request === undefined) return null;
  const dueAt = await findEmailChangeDue(db, memberId);
  const { email, requestedAt } = request;
  return {
    email: maskEmail(email),
    requested_at: requestedAt.toISOString(),
    due_at: dueAt?.toISOString() ?? null,
  };
}

type SecurityRow = {
  readonly hasApp: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
  readonly emailVerifiedAt: Date | null;
  readonly passwordChangedAt: Date | null;
};

const findSecurity = (db: Db, memberId: bigint) =>
  findRow(db)<SecurityRow>`
    select exists (select from identity.totp t where t.member_id = m.id and t.confirmed_at is not null)
             as "hasApp",
           (select count(*)::int from identity.passkey p where p.member_id = m.id) as passkeys,
           (select count(*)::int from identity.recovery_code r where r.member_id = m.id) as "recoveryCodesLeft",
           m.email_verified_at as "emailVerifiedAt", m.password_changed_at as "passwordChangedAt"
    from identity.member m where m.id = ${memberId}`;

export type Protection = {
  readonly security: Security;
  readonly limits: OwnLimits;
  /** Active ones, last used first. */
  readonly signIns: readonly AuthSessionSummary[];
};

/** Protection, self-imposed limits and sign-ins of an account. Refuses `not_found`. */
export async function getProtection({ db, now }: Context, memberId: bigint): Promise<Protection> {
  const [security, stored, signIns] = await Promise.all([
    getSecurity(db, memberId),
    findStoredLimits(db, memberId),
    listSessionRows(db, { memberId }, now()),
  ]);
  return { security, limits: showLimits(limitsAt(stored, now())), signIns };
}
