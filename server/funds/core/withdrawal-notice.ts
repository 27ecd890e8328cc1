import { formatRounded } from '#contract/format-dollars.ts';
import type { PayoutNetwork, WithdrawalState } from '#contract/funds/withdrawals.ts';

export type MemberNotice = {
  readonly kind: string;
  readonly message: string;
  readonly mail?: { readonly subject: string; readonly text: string };
};

/** What the messages about a withdrawal say of it. */
export type NoticedWithdrawal = {
  readonly reference: string;
  readonly state: WithdrawalState;
  readonly amount_micros: bigint;
  readonly fee_micros: bigint;
  readonly network: PayoutNetwork;
  readonly address: string;
  readonly transaction: string | null;
  readonly note: string | null;
};

/**
 * What the member hears when a withdrawal has come to a state, in the drawer and by mail; a cancellation is their own
 * doing and is not mailed. $100 at a fee of $1 that arrived reads "Your withdrawal WD-7M2QX4 has arrived: $99.00 were
 * paid out to your TRC20 address."
 */
export function withdrawalNotice(row: NoticedWithdrawal): MemberNotice {
  const { reference, network, address } = row;
  const amount = formatRounded(row.amount_micros);
  const net = formatRounded(row.amount_micros - row.fee_micros);
  const back = `${amount} are back in your wallet.`;
  const because = row.note === null ? '' : ` Reason: ${asSentence(row.note)}`;
  switch (row.state) {
    case 'requested':
      return mailed(
        row,
        'Withdrawal requested',
        `You asked for a withdrawal of ${amount}, ${reference}. ${net} will be paid out to your ${network} address once it is approved.`,
        `Address: ${address}`,
        'If this was not you, change your password at once and write to support.',
      );
    case 'approved':
      return silent(row, `Your withdrawal ${reference} of ${amount} was approved and will be paid out.`);
    case 'sent':
      return mailed(
        row,
        'Withdrawal sent',
        `Your withdrawal ${reference} is on its way: ${net} to your ${network} address.`,
        `Address: ${address}`,
        ...hashLine(row),
      );
    case 'completed':
      return mailed(
        row,
        'Withdrawal completed',
        `Your withdrawal ${reference} has arrived: ${net} were paid out to your ${network} address.`,
        `Address: ${address}`,
        ...hashLine(row),
      );
    case 'uncertain':
      return silent(
        row,
        `Your withdrawal ${reference} takes longer: our team checks with the payment gateway whether it was sent. The amount stays on hold until that is known.`,
      );
    case 'cancelled':
      return silent(row, `You cancelled your withdrawal ${reference}. ${back}`);
    case 'rejected':
      return mailed(row, 'Withdrawal rejected', `Your withdrawal ${reference} was rejected. ${back}${because}`);
    case 'failed':
      return mailed(row, 'Withdrawal failed', `Your withdrawal ${reference} failed. ${back}${because}`);
  }
}

const silent = (row: NoticedWithdrawal, message: string): MemberNotice => ({
  kind: `withdrawal_${row.state}`,
  message,
});

const mailed = (row: NoticedWithdrawal, title: string, message: string, ...more: string[]): MemberNotice => ({
  ...silent(row, message),
  mail: { subject: `${title}: ${row.reference}`, text: `${[message, ...more].join('\n\n')}\n` },
});

const hashLine = (row: NoticedWithdrawal): string[] =>
  row.transaction === null ? [] : [`Transaction: ${row.transaction}`];

/** What an operator or a gateway wrote, ended as a sentence is. */
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
