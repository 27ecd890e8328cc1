import { writeAudit } from '#server/audit/index.ts';
import { BadConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { isEasyToGuess } from '../passwords/password-guesser.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { hasOperators, insertFirstAdmin } from './operator-sql.ts';

const NAME = 'Administrator';

/**
 * At every start: as long as there is no operator at all, `ADMIN_EMAIL` and `ADMIN_PASSWORD` make the first one.
 * Afterwards they do nothing, so that a password left in a configuration file cannot come back to life.
 * @throws BadConfig for a password that is guessed first, except in paper mode
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
    await writeAudit(tx, {
      actor: { kind: 'system', id: null },
      action: 'operator.create',
      subject: `operator:${id}`,
      after: { email: admin.email, role: 'admin' },
    });
  });
}
