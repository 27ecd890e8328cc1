import { sql } from 'kysely';
import type { Security } from '#contract/accounts/profile.ts';
import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';

/** How well an account is protected. */
export async function getSecurity(db: Db, memberId: bigint): Promise<Security> {
  const row = await findSecurity(db, memberId);
  if (row === undefined) throw new Refused('not_found');
  return {
    second_factor: row.hasSecondFactor,
    recovery_codes_left: row.recoveryCodesLeft,
    email_verified: row.emailVerifiedAt !== null,
    password_changed_at: row.passwordChangedAt?.toISOString() ?? null,
  };
}

type SecurityRow = {
  readonly hasSecondFactor: boolean;
  readonly recoveryCodesLeft: number;
  readonly emailVerifiedAt: Date | null;
  readonly passwordChangedAt: Date | null;
};

async function findSecurity(db: Db, memberId: bigint): Promise<SecurityRow | undefined> {
  const { rows } = await sql<SecurityRow>`
    select exists (select from identity.totp t where t.member_id = m.id and t.confirmed_at is not null)
             as "hasSecondFactor",
           (select count(*)::int from identity.recovery_code r where r.member_id = m.id) as "recoveryCodesLeft",
           m.email_verified_at as "emailVerifiedAt", m.password_changed_at as "passwordChangedAt"
    from identity.member m where m.id = ${memberId}`.execute(db);
  return rows[0];
}
