import { useQuery } from '@tanstack/react-query';
import type { DeskWithdrawal } from '#contract/funds/review.ts';
import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { appInfo } from '../../../api/app-info.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatShortDateTime, formatTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { StateBadge, stateWord } from '../../../ui/text/state-badge.tsx';
import { type Check, CheckList } from '../kit/check-list.tsx';
import { CopyBox } from '../kit/copy-box.tsx';
import { DetailLead, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { DeskError } from '../kit/list-table.tsx';
import { MemberLink } from '../kit/member.tsx';
import { useDecisions } from '../kit/use-decisions.tsx';
import { choiceOf, decisionWords, hasApproved } from './decisions.ts';
import { useDecide, withdrawalQuery } from './queries.ts';

type WithdrawalDetailProps = { id: string; operator: Operator; onClose: () => void };

/** One withdrawal with all that a decision needs. */
export function WithdrawalDetail({ id, operator, onClose }: WithdrawalDetailProps) {
  const query = useQuery(withdrawalQuery(id));
  if (query.data) return <Loaded withdrawal={query.data} operator={operator} onClose={onClose} />;
  return (
    <DetailPanel title="Withdrawal" kind="" onClose={onClose}>
      {query.isError && <DeskError query={query} title="It could not be loaded" />}
    </DetailPanel>
  );
}

type LoadedProps = { withdrawal: DeskWithdrawal; operator: Operator; onClose: () => void };

function Loaded({ withdrawal, operator, onClose }: LoadedProps) {
  const { decisions, note } = choiceOf(withdrawal, operator);
  const { buttons, dialog, changed } = useDecisions({
    decisions,
    version: withdrawal.version,
    wordsOf: (decision) => decisionWords(decision, withdrawal),
    mutation: useDecide(withdrawal.id),
  });
  const { reference, state, amount, fee, net, network, address } = withdrawal;
  const approvals = approvalsOf(withdrawal, operator, decisions.includes('reject'));
  const wasPaid = state === 'completed' || state === 'sent';
  return (
    <>
      <DetailPanel
        title={reference}
        kind="Withdrawal"
        badge={<StateBadge of="withdrawal" state={state} />}
        onClose={onClose}
        foot={
          (buttons.length > 0 || note) && (
            <>
              {buttons}
              {note && <p>{note}</p>}
            </>
          )
        }
      >
        <DetailLead>
          <Figure
            label={wasPaid ? 'Paid out' : 'To pay out'}
            size="xl"
            foot={`${formatMoney(amount, 'typed')} less fee, ${formatMoney(fee, 'typed')}, from the ${walletNames[withdrawal.wallet_type]}`}
          >
            <Money value={net} />
          </Figure>
        </DetailLead>
        {changed && (
          <DetailLead>
            <Banner tone="amber">{changed}</Banner>
          </DetailLead>
        )}
        <DetailSection title={`To, network ${network}`}>
          <CopyBox value={address} what="address" />
        </DetailSection>
        <DetailSection title="Checks">
          <CheckList checks={checksOf(withdrawal)} />
        </DetailSection>
        {approvals.length > 0 && (
          <DetailSection title={`Approvals, ${countingApprovals(withdrawal)} of ${withdrawal.approvals_needed}`}>
            <CheckList checks={approvals} />
          </DetailSection>
        )}
        <DetailSection title="Member">
          <MemberLink member={withdrawal.member} />
        </DetailSection>
        <Payment withdrawal={withdrawal} />
        <DetailSection title="History, UTC">
          <KeyValues
            items={withdrawal.steps.map((step, index) => [
              `${index + 1}. ${stateWord(step.state)}${step.note ? `: ${step.note}` : ''}`,
              formatShortDateTime(step.at),
            ])}
          />
        </DetailSection>
      </DetailPanel>
      {dialog}
    </>
  );
}

function Payment({ withdrawal: { payout, transaction } }: { withdrawal: DeskWithdrawal }) {
  if (payout === null && transaction === null) return null;
  const facts: [string, string][] = [];
  if (payout !== null)
    facts.push(['Way', payout.way === 'hand' ? 'By hand' : `Gateway ${payout.gateway ?? ''}`.trim()]);
  if (payout?.payout_id) facts.push(['Payout', payout.payout_id]);
  if (payout?.started_at) facts.push(['Begun, UTC', formatShortDateTime(payout.started_at)]);
  return (
    <DetailSection title="Payment">
      {facts.length > 0 && <KeyValues items={facts} />}
      {transaction !== null && <CopyBox value={transaction} what="transaction hash" />}
    </DetailSection>
  );
}

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
function checksOf(withdrawal: DeskWithdrawal): Check[] {
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
function approvalsOf(withdrawal: DeskWithdrawal, operator: Operator, mayDecide: boolean): Check[] {
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
