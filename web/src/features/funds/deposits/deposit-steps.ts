import type { Deposit } from '#contract/funds/deposits.ts';
import { formatTime } from '../../../ui/format/time.ts';
import type { StatusStep } from '../../../ui/text/status-steps.tsx';

const utc = (at: string) => `${formatTime(at)} UTC`;

/**
 * The way of a deposit in three steps, as far as the server says it went. Times are given only where they are known:
 * the creation, and the last change for the step it stands at.
 */
export function depositSteps(deposit: Deposit): [StatusStep, StatusStep, StatusStep] {
  const created: StatusStep = { title: 'Created', detail: utc(deposit.created_at), at: 'done' };
  const seen: StatusStep = { title: 'Payment seen', detail: '', at: 'done' };
  const notCredited: StatusStep = { title: 'Credited', detail: 'nothing was credited', at: 'ahead' };
  const ahead: StatusStep = { title: 'Credited', detail: 'to the Primary Wallet', at: 'ahead' };
  const changed = utc(deposit.updated_at);

  switch (deposit.state) {
    case 'created':
      return [
        { ...created, detail: `${utc(deposit.created_at)}, waiting for your payment`, at: 'current' },
        { ...seen, detail: 'then it is confirmed', at: 'ahead' },
        ahead,
      ];
    case 'pending':
      return [created, { ...seen, detail: `${changed}, being confirmed`, at: 'current' }, ahead];
    case 'underpaid':
      return [created, { ...seen, detail: `${changed}, less than asked`, at: 'current' }, ahead];
    case 'credited':
      return [created, seen, { ...ahead, detail: `${changed}, to the Primary Wallet`, at: 'done' }];
    case 'review':
      return [created, seen, { title: 'In review', detail: `since ${changed}`, at: 'current' }];
    case 'expired':
      return [
        created,
        { title: 'Expired', detail: `${utc(deposit.expires_at)}, no payment arrived`, at: 'stopped' },
        notCredited,
      ];
    case 'refunded':
      return [created, seen, { title: 'Refunded', detail: changed, at: 'stopped' }];
    case 'rejected':
      return [created, seen, { title: 'Rejected', detail: changed, at: 'stopped' }];
    case 'failed':
      return [created, { title: 'Failed', detail: `${changed}, refused by the gateway`, at: 'stopped' }, notCredited];
  }
}
