import { writeMinute } from '#contract/day-text.ts';
import { formatRounded } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { orRefuse } from '#server/refused.ts';
import type { InvoiceStatus } from '../../core/follow-invoice.ts';
import { amountOf, dueMicros, outcomeOf, type SandboxChoice, viewOf } from '../../core/sandbox-invoice.ts';
import { expireIfDue } from './change-invoice.ts';
import { findInvoiceByToken } from './invoice-sql.ts';

export const payPagePath = '/sandbox/pay';
export const payStylePath = '/sandbox/pay.css';

const sails = `<svg viewBox="0 0 28 28" width="26" height="26" aria-hidden="true"><path class="sail" d="M13.6 2.8c5.6 4.1 9.2 9.3 10.1 15.4-3.2.9-6.6 1.2-10.1 1z"/><path class="jib" d="M11.2 8.4v10.6c-2.5-.2-4.8-.6-6.9-1.2 3.3-2.3 5.6-5.4 6.9-9.4z"/><path class="wave" d="M3.5 23.2c3.6-1.6 6.7-1.5 10 0s6.9 1.6 11-.6"/></svg>`;
const flask = `<svg viewBox="0 0 20 20" width="14" height="14" aria-hidden="true"><path class="stroke" d="M8 3h4M8.500 3v5L4 15.200A1.200 1.200 0 005 17h10a1.200 1.200 0 001-1.800L11.500 8V3M6 12.500h8"/></svg>`;

/** The payment page of an invoice. Plain forms: it works without scripts and without a sign-in. */
export function renderPayPage(brandName: string, invoice: ShownInvoice, error?: string): string {
  const { reference, amountMicros, paidMicros, status } = invoice;
  const isWaiting = status === 'New';
  const figure = isWaiting ? invoice.dueMicros : amountMicros;
  const paidRow = paidMicros > 0n ? `<div><dt>Received so far</dt><dd>${formatRounded(paidMicros)}</dd></div>` : '';
  return renderPage(
    brandName,
    `Pay ${reference}`,
    `<h1><span>${isWaiting && paidMicros > 0n ? 'Remaining' : 'Amount due'}</span><b>${formatRounded(figure)}</b></h1>
<dl>
<div><dt>Reference</dt><dd class="code">${escapeHtml(reference)}</dd></div>
${paidRow}<div><dt>${isWaiting ? 'Expires' : 'Expiry'}</dt><dd><time datetime="${invoice.expiresAt.toISOString()}">${writeMinute(invoice.expiresAt)}</time></dd></div>
</dl>
${error === undefined ? '' : `<p class="error" role="alert">${escapeHtml(error)}</p>`}
${isWaiting ? renderChoices(invoice) : renderClosed(invoice)}
<p class="leave"><a href="${escapeHtml(invoice.leavePath)}">${isWaiting ? 'Cancel payment' : `Back to ${escapeHtml(brandName)}`}</a></p>`,
  );
}

export function renderUnknownPage(brandName: string): string {
  return renderPage(
    brandName,
    'Not found',
    '<h1><span>Not found</span></h1><p>This payment page does not exist. Open your deposit in the app and start again.</p>',
  );
}

const renderChoices = (invoice: ShownInvoice) => `<p class="lead">Choose how this test payment ends.</p>
${renderButton(invoice, 'full', `Pay ${formatRounded(invoice.dueMicros)} in full`, 'primary')}
${renderAmount(invoice, 'less', 'Pay less', 'Stays open for the rest until it expires')}
${renderAmount(invoice, 'more', 'Pay more', 'The whole amount is credited')}
${renderButton(invoice, 'late', 'Pay late', 'default', 'The invoice expires, then the payment arrives')}
${renderButton(invoice, 'expire', 'Let it expire', 'default', 'No further payment arrives')}
${renderButton(invoice, 'fail', 'Leave unconfirmed', 'default', 'The payment is seen but never confirmed')}`;

const closedWords: Record<InvoiceStatus, string> = {
  New: '',
  Processing: 'A payment was received and is being confirmed.',
  Settled: 'This invoice is paid.',
  Expired: 'This invoice has expired.',
  Invalid: 'This invoice is closed. Its payment was never confirmed.',
};

const renderClosed = (invoice: ShownInvoice) => `<p class="lead" role="status">${closedWords[invoice.status]}</p>
${renderButton(invoice, 'again', `Pay ${formatRounded(invoice.choices.get('again') ?? 0n)} anyway`, 'default', 'The payment is held until an operator has reviewed it')}`;

function renderButton(
  invoice: ShownInvoice,
  choice: SandboxChoice,
  label: string,
  variant: 'primary' | 'default',
  hint = '',
): string {
  if (!invoice.choices.has(choice)) return '';
  return `<form method="post" action="${payPagePath}/${escapeHtml(invoice.token)}">
<input type="hidden" name="choice" value="${choice}">
<button class="${variant}">${label}</button>${hint === '' ? '' : `<p class="hint">${hint}</p>`}
</form>`;
}

function renderAmount(invoice: ShownInvoice, choice: 'less' | 'more', label: string, hint: string): string {
  const suggested = invoice.choices.get(choice);
  if (suggested === undefined) return '';
  return `<form method="post" action="${payPagePath}/${escapeHtml(invoice.token)}">
<input type="hidden" name="choice" value="${choice}">
<div class="row"><label class="amount"><span class="hidden">Amount for ${label}, in dollars</span><i aria-hidden="true">$</i><input name="amount" inputmode="decimal" autocomplete="off" maxlength="12" value="${formatRounded(suggested).slice(1)}"></label><button class="default">${label}</button></div>
<p class="hint">${hint}</p>
</form>`;
}

const renderPage = (brandName: string, title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="dark light">
<title>${escapeHtml(title)} · ${escapeHtml(brandName)}</title>
<link rel="stylesheet" href="${payStylePath}">
</head>
<body>
<header>${sails}<b>${escapeHtml(brandName)}</b></header>
<main>
<p class="paper">${flask}<span>Sandbox payments: no real money moves</span></p>
<section>
${body}
</section>
</main>
</body>
</html>
`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] as string);

/** An invoice as shown on the payment page. */
type ShownInvoice = {
  readonly token: string;
  readonly reference: string;
  readonly status: InvoiceStatus;
  readonly amountMicros: bigint;
  readonly paidMicros: bigint;
  readonly dueMicros: bigint;
  readonly expiresAt: Date;
  /** Amount that each available choice would pay. */
  readonly choices: ReadonlyMap<SandboxChoice, bigint>;
  /** Path of the link that leaves the page. */
  readonly leavePath: string;
};

const offered: readonly SandboxChoice[] = ['full', 'less', 'more', 'late', 'expire', 'fail', 'again'];

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The invoice of a payment page's token. Refuses `not_found`. */
export async function showInvoice(context: Context, token: string): Promise<ShownInvoice> {
  const known = orRefuse(TOKEN.test(token) ? await findInvoiceByToken(context.db, token) : undefined, 'not_found');
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
