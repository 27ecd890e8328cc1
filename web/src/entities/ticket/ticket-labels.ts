import {
  type AttachmentType,
  attachmentTypes,
  ticketCategories,
  ticketRules,
  ticketStates,
} from '#contract/tickets/ticket-rules.ts';
import type { TicketAbout } from '#contract/tickets/tickets.ts';
import { t } from '../../api/texts.ts';
import { paths } from '../../ui/paths.ts';

export const categoryLabels: Readonly<Record<(typeof ticketCategories)[number], string>> = {
  deposit: t`Deposit`,
  withdrawal: t`Withdrawal`,
  trade: t`Trade`,
  income: t`Income`,
  account: t`Account`,
  other: t`Other`,
};
const stateLabels: Readonly<Record<(typeof ticketStates)[number], string>> = {
  open: t`Open`,
  answered: t`Answered`,
  closed: t`Closed`,
};

export const categoryOptions = ticketCategories.map((value) => ({ value, label: categoryLabels[value] }));
export const stateOptions = ticketStates.map((value) => ({ value, label: stateLabels[value] }));

export const typeNames: Readonly<Record<AttachmentType, string>> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'application/pdf': 'PDF',
};

/** The types that the file picker offers. */
export const acceptedTypes = attachmentTypes.join(',');

const KB = 1024;
const MB = KB * KB;

/** `214 KB`, `4.8 MB`; never zero, and never rounded up to the next unit. */
export function sizeText(bytes: number): string {
  if (bytes < MB) return `${Math.min(1023, Math.max(1, Math.round(bytes / KB)))} KB`;
  return `${(bytes / MB).toFixed(1).replace('.0', '')} MB`;
}

export const attachmentLimits = t`Up to ${ticketRules.attachments} files: PNG, JPEG or PDF, up to ${sizeText(
  ticketRules.attachmentMaxBytes,
)} each.`;

/** The page of the ticket's subject. */
export function aboutPath({ kind, id }: TicketAbout): string {
  const path = {
    movement: paths.transactionHistory,
    trade: paths.trade(id),
    deposit: `${paths.deposit}?deposit=${id}`,
    withdrawal: `${paths.withdrawalHistory}?withdrawal=${id}`,
  };
  return path[kind];
}
