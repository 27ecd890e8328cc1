import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

export type SecurityRow = {
  readonly hasSecondFactor: boolean;
  readonly recoveryCodesLeft: number;
  readonly emailVerifiedAt: Date | null;
  readonly passwordChangedAt: Date | null;
};

export async function findSecurity(db: Db, memberId: bigint): Promise<SecurityRow | undefined> {
  const { rows } = await sql<SecurityRow>`
    select exists (select from identity.totp t where t.member_id = m.id and t.confirmed_at is not null)
             as "hasSecondFactor",
           (select count(*)::int from identity.recovery_code r where r.member_id = m.id) as "recoveryCodesLeft",
           m.email_verified_at as "emailVerifiedAt", m.password_changed_at as "passwordChangedAt"
    from identity.member m where m.id = ${memberId}`.execute(db);
  return rows[0];
}
