import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import type { InvoiceStatus } from '../../core/follow-invoice.ts';
import { amountOf, dueMicros, outcomeOf, type SandboxChoice, viewOf } from '../../core/sandbox-invoice.ts';
import { expireIfDue } from './change-invoice.ts';
import { findInvoiceByToken } from './invoice-sql.ts';

/** What the payment page shows of an invoice. */
export type ShownInvoice = {
  readonly token: string;
  readonly reference: string;
  readonly status: InvoiceStatus;
  readonly amountMicros: bigint;
  readonly paidMicros: bigint;
  readonly dueMicros: bigint;
  readonly expiresAt: Date;
  /** What each choice would pay; choices that cannot be made now are missing. */
  readonly choices: ReadonlyMap<SandboxChoice, bigint>;
  /** Where the payer goes who leaves the page now. */
  readonly leavePath: string;
};

const offered: readonly SandboxChoice[] = ['full', 'less', 'more', 'late', 'expire', 'fail', 'again'];

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The invoice behind a payment page's address. Refuses `not_found`. */
export async function showInvoice(context: Context, token: string): Promise<ShownInvoice> {
  const known = TOKEN.test(token) ? await findInvoiceByToken(context.db, token) : undefined;
  if (known === undefined) throw new Refused('not_found');
  const { row, invoice } = await expireIfDue(context, known.id);
  const choices = offered.flatMap((choice) => {
    const amount = amountOf(choice, invoice);
    return typeof amount === 'bigint' ? [[choice, amount] as const] : [];
  });
  return {
    token: row.token,
    reference: row.reference,
    status: row.status,
    amountMicros: row.amount_micros,
    paidMicros: viewOf(invoice).paidMicros,
    dueMicros: dueMicros(invoice),
    expiresAt: row.expires_at,
    choices: new Map(choices),
    leavePath: row.return_path.replace('{status}', row.status === 'New' ? 'cancelled' : outcomeOf(invoice)),
  };
}
