import { writeMinute } from '#contract/day-text.ts';
import { financeRoles } from '#contract/endpoint.ts';
import { english } from '#contract/texts.ts';
import { listMailedOperators } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { emailOperators } from '#server/notify/index.ts';
import { claimHaltNotices } from '../halts/halt-trading.ts';

const { t } = english;

/** Emails finance once of each asset halted at the exchange, of all that it was not notified of in one email. */
export const notifyFinanceOfHalts = ({ db, config, now }: Context): Promise<void> =>
  inTransaction(db, async (tx) => {
    const halts = await claimHaltNotices(tx, now());
    if (halts.length === 0) return;
    const { brandName } = config;
    const assets = halts.map(({ symbol }) => symbol.toUpperCase()).join(', ');
    await emailFinance(tx, {
      subject: t`${brandName}: trading in ${assets} is halted at the exchange`,
      lines: [
        t`No trades in ${assets} open, and queued trades wait.`,
        halts.map(({ symbol, reason }) => `${symbol.toUpperCase()}: ${reason}`).join('\n'),
        t`Trading resumes automatically once the exchange accepts an order. Open Overview in the console to see available funds and rejected orders.`,
      ],
    });
  });

type Funds = { readonly free: number; readonly queued: number; readonly freeAt: Date | null };

/** Emails finance that queued trades need more than the exchange's free funds; amounts in dollars. */
export async function notifyFinanceOfFunds(context: Context, tx: Tx, { free, queued, freeAt }: Funds): Promise<void> {
  const { brandName } = context.config;
  const [has, needs, at] = [dollarWords(free), dollarWords(queued), freeAt === null ? '' : writeMinute(freeAt)];
  await emailFinance(tx, {
    subject: t`${brandName}: the exchange has too little free money`,
    lines: [
      t`Free at the exchange: ${has}, as of ${at}.\nQueued trades, less fees: ${needs}.`,
      t`Trades that the exchange cannot fund stay queued, and trading in the asset is halted when it rejects an order. Send money to the exchange and record the treasury move.`,
    ],
  });
}

const dollarWords = (dollars: number): string =>
  dollars.toLocaleString('en-US', { style: 'currency', currency: 'USD', minimumFractionDigits: 2 });

type Message = { readonly subject: string; readonly lines: readonly string[] };

async function emailFinance(tx: Tx, { subject, lines }: Message): Promise<void> {
  const text = `${lines.join('\n\n')}\n`;
  await emailOperators(tx, await listMailedOperators(tx, financeRoles), { subject, text });
}
