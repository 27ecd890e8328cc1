import { type RawBuilder, sql } from 'kysely';

/**
 * True of a row whose password is the one that was checked: its hash is the one that was read, or follows from it because
 * a sign-in at the same moment hashed the same password again with stronger parameters.
 */
export const hasPassword = (passwordHash: string): RawBuilder<boolean> => sql<boolean>`(
  password_hash = ${passwordHash} or rehashed_from = ${rehashedFrom(passwordHash)})`;

/** What `rehashed_from` says of the hash before, beside the one that is stored. */
const rehashedFrom = (passwordHash: string) =>
  sql`sha256(convert_to(${passwordHash}::text || chr(10) || password_hash, 'UTF8'))`;

/** For `update … set`: a stronger hash of the same password. */
export const setStronger = (change: { readonly from: string; readonly to: string }): RawBuilder<unknown> => sql`
  password_hash = ${change.to}, rehashed_from = sha256(convert_to(${change.from}::text || chr(10) || ${change.to}::text, 'UTF8'))`;
