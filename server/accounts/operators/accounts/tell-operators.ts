import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { queueMail } from '#server/notify/index.ts';
import type { MailText } from '../../core/mails.ts';
import { listMailboxes } from './account-sql.ts';

/**
 * Mails operators what happens to operators, in its transaction: everybody when finance or admin is touched, so that no
 * such account comes or goes unseen, else those whom it concerns.
 */
export async function tellOperators(
  tx: Tx,
  mail: MailText,
  to: { readonly everybody: boolean; readonly ids: readonly bigint[] },
): Promise<void> {
  for (const { name, email } of await listMailboxes(tx, to)) {
    await queueMail(tx, { to: { name, address: email }, ...mail });
  }
}

/** Where a page of the console is, for mails. */
export function consoleUrl({ config }: Pick<Context, 'config'>, page: 'invitation' | 'operators'): string {
  return `${config.publicUrl ?? `http://${config.host}:${config.port}`}/operator/${page}`;
}
