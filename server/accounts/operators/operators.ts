import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import { type OperatorRole, operatorRoles } from '#contract/endpoint.ts';
import type { OperatorCode } from '#contract/fields.ts';
import type { OperatorAuthorities, OperatorAuthority, Operators } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { hasRow, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { verifyPasskeyAnswer } from '../passkeys/ceremonies.ts';
import { clearAttempts, countAttempt } from '../sign-in/attempts.ts';
import { consumeAppCode } from '../two-factor/second-factor.ts';
import { findOperatorFactors, isAnyOn } from './operator-sql.ts';

export { findOperator } from './operator-sql.ts';

/** Current names by id, without unknown ids. */
export async function listOperatorNames(db: Db, ids: readonly (bigint | null)[]): Promise<Map<bigint, string>> {
  const rows = await listRows(db)<{ id: bigint; name: string }>`
    select id, name from identity.operator where id = any(${[...new Set(ids)]}::bigint[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The same, as the operator whom the record of an action names. */
export async function nameActors(db: Db, ids: readonly (bigint | null)[]) {
  const names = await listOperatorNames(db, ids);
  return (id: bigint) => ({ id: id.toString(), name: names.get(id) ?? '' });
}

/**
 * Whether a member is this operator. Operators have no wallets; one who is also a member is recognised by the email
 * address, ignoring case: the member's current one, former ones, and those verified when requesting a change.
 */
export const isOwnMember = (db: Db, memberId: bigint, operatorId: bigint) =>
  hasRow(db)`
    select 1 from identity.operator o, identity.member m
    where o.id = ${operatorId} and m.id = ${memberId} and (
      lower(o.email) = lower(m.email)
      or lower(o.email) in (select lower(email) from identity.former_email where member_id = m.id)
      or lower(o.email) in (select lower(email) from identity.email_request where member_id = m.id))`;

export type ActiveOperator = { readonly id: bigint; readonly name: string; readonly role: OperatorRole };

/** Active operators with the given roles, by name. */
export const listActiveOperators = (db: Db, roles: readonly OperatorRole[]) =>
  listRows(db)<ActiveOperator>`
    select id, name, role from identity.operator
    where role = any(${roles}::text[]) and disabled_at is null and password_hash is not null
    order by name, id`;

/** All active admins, for emails. */
export const listAdmins = (db: Db) =>
  listRows(db)<{ name: string; email: string }>`
    select name, email from identity.operator
    where role = 'admin' and disabled_at is null and password_hash is not null order by id`;

/** All active operators with these roles, by default any, for emails. */
export const listMailedOperators = (db: Db, roles: readonly OperatorRole[] = operatorRoles) =>
  listRows(db)<{ name: string; email: string }>`
    select name, email from identity.operator
    where role = any(${roles}::text[]) and disabled_at is null and password_hash is not null order by id`;

/** The operator accounts that two-person decisions use. */
export const operators: Operators = {
  confirm: confirmOperator,
  list: (db, ids) => readAuthorities(db, ids, sql``),
  /** In id order. */
  lock: (tx, ids) => {
    assert(tx.isTransaction, 'a lock needs a transaction');
    return readAuthorities(tx, ids, sql`for share`);
  },
};

const columns = sql`id, name, role, disabled_at is null and password_hash is not null as "isActive",
  accepted_at as "acceptedAt"`;

async function readAuthorities(
  db: Db,
  ids: readonly bigint[],
  lock: RawBuilder<unknown>,
): Promise<OperatorAuthorities> {
  const rows = await listRows(db)<OperatorAuthority>`
    select ${columns} from identity.operator where id = any(${[...new Set(ids)]}::bigint[]) order by id ${lock}`;
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Verifies the second factor of an operation that moves money, BEFORE the operation's own transaction: a code is
 * consumed even if the operation is refused, or codes could be guessed. The try is counted before the check. Refuses
 * `second_factor_missing` without an authenticator app or passkey, `wrong_second_factor` for a wrong, old or used code,
 * `passkey_refused`, `too_many_requests`.
 */
export async function confirmOperator(context: Context, operatorId: bigint, otp: OperatorCode): Promise<void> {
  const { db } = context;
  const now = context.now();
  assert(!db.isTransaction, 'a code is consumed even if the operation rolls back');
  if (!isAnyOn(await findOperatorFactors(db, operatorId))) throw new Refused('second_factor_missing');
  await countAttempt(db, 'operator_second_factor', operatorId.toString(), now);
  const isRight = await inTransaction(db, (tx) =>
    consumeOperatorCode(context, tx, { operatorId, otp, for: 'confirm' }),
  );
  if (!isRight) throw new Refused('wrong_second_factor');
}

/**
 * Consumes a code of a confirmed app or verifies the answer of a passkey. The caller has counted the try. False for a
 * wrong code. Refuses `passkey_refused`.
 */
export async function consumeOperatorCode(
  context: Context,
  tx: Tx,
  given: { readonly operatorId: bigint; readonly otp: OperatorCode; readonly for: 'second_factor' | 'confirm' },
): Promise<boolean> {
  const { operatorId, otp } = given;
  if (typeof otp === 'string') {
    if (!(await consumeAppCode(tx, { operatorId }, otp, context.now()))) return false;
  } else await verifyPasskeyAnswer(context, tx, { operatorId }, otp, given.for);
  await clearAttempts(tx, 'operator_second_factor', operatorId.toString());
  return true;
}
