import assert from 'node:assert';
import { sql } from 'kysely';
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
import { findOperatorFactors, findOperatorRow, isAnyOn, listOperatorNameRows, type Operator } from './operator-sql.ts';

export type { Operator } from './operator-sql.ts';

/** One operator, or undefined when nobody has this id. */
export const findOperator = (db: Db, id: bigint): Promise<Operator | undefined> => findOperatorRow(db, id);

/** Names by id, as they are today; ids nobody has are not in the answer. */
export async function listOperatorNames(db: Db, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  return new Map((await listOperatorNameRows(db, [...new Set(ids)])).map(({ id, name }) => [id, name]));
}

/**
 * Whether a member is this operator. Operators have no wallets; who is also a member is known by the email address of both
 * accounts, whatever its capital letters: also by the member's before, and by those that the member showed to be theirs
 * when asking for a change.
 */
export const isOwnMember = (db: Db, memberId: bigint, operatorId: bigint) =>
  hasRow(db)`
    select 1 from identity.operator o, identity.member m
    where o.id = ${operatorId} and m.id = ${memberId} and (
      lower(o.email) in (lower(m.email), lower(m.email_before))
      or lower(o.email) in (select lower(email) from identity.email_request where member_id = m.id))`;

export type ActiveOperator = { readonly id: bigint; readonly name: string; readonly role: OperatorRole };

/** Those of the given roles who can sign in, by name. */
export const listActiveOperators = (db: Db, roles: readonly OperatorRole[]) =>
  listRows(db)<ActiveOperator>`
    select id, name, role from identity.operator
    where role = any(${roles}::text[]) and disabled_at is null and password_hash is not null
    order by name, id`;

/** Everybody who is an admin now, for mails. */
export const listAdmins = (db: Db) =>
  listRows(db)<{ name: string; email: string }>`
    select name, email from identity.operator
    where role = 'admin' and disabled_at is null and password_hash is not null order by id`;

/** Everybody who can sign in as an operator of these roles, for mails; of all without any. */
export const listMailedOperators = (db: Db, roles: readonly OperatorRole[] = operatorRoles) =>
  listRows(db)<{ name: string; email: string }>`
    select name, email from identity.operator
    where role = any(${roles}::text[]) and disabled_at is null and password_hash is not null order by id`;

/** What decisions of two people ask about operators. */
export const operators: Operators = {
  confirm: confirmOperator,
  list: (db, ids) => listAuthorities(db, [...new Set(ids)]),
  /** In the order of their ids. */
  lock: (tx, ids) => {
    assert(tx.isTransaction, 'a lock needs a transaction');
    return lockAuthorities(tx, [...new Set(ids)]);
  },
};

const columns = sql`id, name, role, disabled_at is null and password_hash is not null as "isActive",
  accepted_at as "acceptedAt"`;

async function listAuthorities(db: Db, ids: readonly bigint[]): Promise<OperatorAuthorities> {
  const { rows } = await sql<OperatorAuthority>`
    select ${columns} from identity.operator where id = any(${ids}::bigint[])`.execute(db);
  return byId(rows);
}

async function lockAuthorities(tx: Tx, ids: readonly bigint[]): Promise<OperatorAuthorities> {
  const { rows } = await sql<OperatorAuthority>`
    select ${columns} from identity.operator where id = any(${ids}::bigint[]) order by id for share`.execute(tx);
  return byId(rows);
}

const byId = (rows: readonly OperatorAuthority[]): OperatorAuthorities => new Map(rows.map((row) => [row.id, row]));

/**
 * The second factor of an operation that moves money, BEFORE the operation's own transaction: a code is used up even when
 * the operation is refused, or it could be tried on until one fits. Counted before it is looked at. Refusals:
 * `second_factor_missing` without an authenticator app and passkey, `wrong_second_factor` for a wrong, old or used code,
 * `passkey_refused`, `too_many_requests`.
 */
export async function confirmOperator(context: Context, operatorId: bigint, otp: OperatorCode): Promise<void> {
  const { db } = context;
  const now = context.now();
  assert(!db.isTransaction, 'a code is used up whatever becomes of the operation');
  if (!isAnyOn(await findOperatorFactors(db, operatorId))) throw new Refused('second_factor_missing');
  await countAttempt(db, 'operator_second_factor', operatorId.toString(), now);
  const isTaken = await inTransaction(db, (tx) =>
    consumeOperatorCode(context, tx, { operatorId, otp, for: 'confirm' }),
  );
  if (!isTaken) throw new Refused('wrong_second_factor');
}

/** A form of operators has one field for whatever confirms. */
function atOtp(error: unknown): never {
  throw error instanceof Refused ? new Refused(error.code, { field: 'otp' }) : error;
}

/**
 * Takes a code of a confirmed app or the answer of a passkey, once. The caller has counted the try. False for a wrong
 * code. Refusal: `passkey_refused`.
 */
export async function consumeOperatorCode(
  context: Context,
  tx: Tx,
  given: { readonly operatorId: bigint; readonly otp: OperatorCode; readonly for: 'second_factor' | 'confirm' },
): Promise<boolean> {
  const { operatorId, otp } = given;
  if (typeof otp === 'string') {
    if (!(await consumeAppCode(tx, { operatorId }, otp, context.now()))) return false;
  } else await verifyPasskeyAnswer(context, tx, { operatorId }, otp, given.for).catch(atOtp);
  await clearAttempts(tx, 'operator_second_factor', operatorId.toString());
  return true;
}
