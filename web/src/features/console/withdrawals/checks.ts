import type { DeskWithdrawal } from '#contract/funds/review.ts';
import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { appInfo } from '../../../api/app-info.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatTime } from '../../../ui/format/time.ts';
import type { Check } from '../kit/check-list.tsx';
import { hasApproved } from './decisions.ts';

const holds: readonly WithdrawalState[] = ['requested', 'approved', 'sent', 'uncertain'];

/** What stands against paying it, in a word or two, for the row of the list. */
export function flagsOf({ member, state, new_device, first_payout }: DeskWithdrawal): string[] {
  if (!holds.includes(state)) return [];
  const flags = [];
  if (member.frozen) flags.push('frozen');
  if (member.withdrawals_frozen) flags.push('withdrawals stopped');
  if (!member.verified && appInfo.mode === 'live') flags.push('not verified');
  if (new_device) flags.push('new device');
  if (first_payout) flags.push('first payout');
  return flags;
}

/** What was checked, and what somebody has to look at, in the order of a decision. */
export function checksOf(withdrawal: DeskWithdrawal): Check[] {
  const { member, amount, day_sum, created_at, state, new_device, first_payout } = withdrawal;
  const checks: Check[] = [];
  const add = (key: string, checkState: Check['state'], words: string) =>
    checks.push({ key, state: checkState, words });
  const isHeld = holds.includes(state);

  if (isHeld) add('hold', 'done', `${formatMoney(amount, 'typed')} is in withdrawal hold`);
  add('address', 'done', 'Address fits; saved a day or more before');
  add('otp', 'done', `One-time password given at ${formatTime(created_at)} UTC`);
  add(
    'day',
    'done',
    `${formatMoney(day_sum, 'typed')} of ${formatMoney(withdrawalRules.dayLimitDollars, 'typed')} that day`,
  );
  if (!isHeld) return checks;
  add('device', new_device === false ? 'done' : 'look', deviceWords(new_device));
  add('first', first_payout ? 'look' : 'done', first_payout ? 'First payout of this member' : 'Was paid out to before');
  if (member.frozen) add('frozen', 'look', 'The account is frozen');
  if (member.withdrawals_frozen) add('stopped', 'look', 'Withdrawals of this member are stopped');
  if (appInfo.mode === 'live') {
    add('verified', member.verified ? 'done' : 'look', member.verified ? 'Verified' : 'The member is not verified');
  }
  return checks;
}

function deviceWords(isNew: boolean | null): string {
  if (isNew === null) return 'No sign-in of this member is known';
  return isNew
    ? 'A device signed in for the first time in the 24 hours before'
    : 'No new device in the 24 hours before';
}

/** Who approved, whose approval does not count any more, and who is still to. */
export function approvalsOf(withdrawal: DeskWithdrawal, operator: Operator, mayDecide: boolean): Check[] {
  const given = withdrawal.approvals.map(({ operator_id, operator: name, at, counts }): Check => {
    const words = `${operator_id === operator.id ? 'You' : name}, ${formatTime(at)} UTC`;
    return {
      key: `${operator_id} ${at}`,
      state: counts ? 'done' : 'look',
      words: counts ? words : `${words}: does not count, disabled or in another role since`,
    };
  });
  const { approvals_needed, approvals_missing } = withdrawal;
  if (approvals_missing === 0) return given;
  const isFirst = withdrawal.state === 'requested' && countingApprovals(withdrawal) === 0;
  const who = !isFirst ? 'A second operator' : approvals_needed === 1 ? 'One operator' : 'Two operators';
  const you = mayDecide ? (hasApproved(withdrawal, operator) ? ', not you' : ': you may approve') : '';
  return [...given, { key: 'missing', state: 'waits', words: `${who}${you}` }];
}

/** How many operators approved it whose approval counts. */
export const countingApprovals = ({ approvals }: DeskWithdrawal): number =>
  new Set(approvals.filter(({ counts }) => counts).map(({ operator_id }) => operator_id)).size;
