import assert from 'node:assert';
import type { OperatorRole } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/index.ts';
import { BadConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { readLoginId } from '../core/login-id.ts';
import { isEasyToGuess, refuseWeakPassword } from '../passwords/password-guesser.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { hasOperators, insertFirstAdmin, insertOperator } from './operator-sql.ts';

/**
 * Creates an operator account without approval. No API call does this, because an operator can pay money out. The
 * account has no second factor, so it can read but not move money. Refuses `weak_password`.
 */
export async function registerOperator(
  context: Context,
  input: { readonly email: string; readonly name: string; readonly role: OperatorRole; readonly password: string },
): Promise<bigint> {
  const { name, role, password } = input;
  const email = readLoginId(input.email).value;
  await refuseWeakPassword(password, { name, email });
  const draft = { email, name, role, passwordHash: await hashPassword(password), now: context.now() };
  return inTransaction(context.db, async (tx) => {
    const id = await insertOperator(tx, draft);
    assert(id !== undefined, 'this email address is an operator already');
    await auditCreated(tx, id, { email, role });
    return id;
  });
}

const NAME = 'Administrator';

/**
 * Runs at every start: without any operator, `ADMIN_EMAIL` and `ADMIN_PASSWORD` create the first one. Afterwards they
 * have no effect, so a password left in a configuration file cannot be used again.
 *
 * @throws BadConfig for a password that is easy to guess, except in paper mode
 */
export async function ensureFirstAdmin(context: Context): Promise<void> {
  const { admin, mode } = context.config;
  if (admin === undefined || (await hasOperators(context.db))) return;
  if (mode !== 'paper' && (await isEasyToGuess(admin.password, { name: NAME, email: admin.email }))) {
    throw new BadConfig('ADMIN_PASSWORD: this password is too common');
  }
  const passwordHash = await hashPassword(admin.password);
  await inTransaction(context.db, async (tx) => {
    const draft = { email: admin.email, name: NAME, passwordHash, now: context.now() };
    const id = await insertFirstAdmin(tx, draft);
    if (id === undefined) return;
    await auditCreated(tx, id, { email: admin.email, role: 'admin' });
  });
}

const auditCreated = (tx: Tx, id: bigint, after: { readonly email: string; readonly role: OperatorRole }) =>
  writeAudit(tx, {
    actor: { kind: 'system', id: null },
    action: 'operator.create',
    subject: `operator:${id}`,
    after,
  });
