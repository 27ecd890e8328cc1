import { english } from '#contract/texts.ts';
import { listMailedOperators } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { queueEmail } from '#server/notify/index.ts';

const { t } = english;

/** Emails who can do something about it that the exchange refuses orders of an asset; once, until one works again. */
export async function tellFinance({ config }: Context, tx: Tx, symbol: string, reason: string): Promise<void> {
  const asset = symbol.toUpperCase();
  for (const { name, email } of await listMailedOperators(tx, ['finance', 'admin']))
    await queueEmail(tx, {
      to: { name, address: email },
      subject: t`${config.brandName}: the exchange refuses orders of ${asset}`,
      text: `${t`Trading of ${asset} is halted: nothing opens, and what is queued waits.`}\n\n${reason}\n\n${t`It goes on by itself as soon as an order works. Open Overview in the console to see free funds and refusals.`}\n`,
    });
}
