import { type RawBuilder, sql } from 'kysely';

/**
 * SQL for whether a row still has the password that was checked: the same hash, or one that a concurrent sign-in
 * rehashed from it with stronger parameters.
 */
export const hasPassword = (passwordHash: string): RawBuilder<boolean> => sql<boolean>`(
  password_hash = ${passwordHash} or rehashed_from = ${rehashedFrom(passwordHash)})`;

/** The value of `rehashed_from` for a previous hash, together with the stored one. */
const rehashedFrom = (passwordHash: string) =>
  sql`sha256(convert_to(${passwordHash}::text || chr(10) || password_hash, 'UTF8'))`;

/** For `update … set`: a stronger hash of the same password. */
export const setStronger = (change: { readonly from: string; readonly to: string }): RawBuilder<unknown> => sql`
  password_hash = ${change.to}, rehashed_from = sha256(convert_to(${change.from}::text || chr(10) || ${change.to}::text, 'UTF8'))`;
