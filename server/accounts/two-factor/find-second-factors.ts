import type { Db } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';

/** What a member is asked for besides the password; neither is no second factor. */
export type SecondFactors = { readonly hasApp: boolean; readonly passkeys: number };

export const findSecondFactors = (db: Db, memberId: bigint) =>
  getRow(db)<SecondFactors>`
    select exists (select from identity.totp where member_id = ${memberId} and confirmed_at is not null) as "hasApp",
           (select count(*)::int from identity.passkey where member_id = ${memberId}) as passkeys`;

export const isAnyOn = ({ hasApp, passkeys }: SecondFactors): boolean => hasApp || passkeys > 0;
