import { IconLockOpen } from '@tabler/icons-react';
import { consoleLoosenings } from '#contract/endpoints.ts';
import type { Loosening } from '#contract/operator/loosenings.ts';
import { call } from '../../../api/call.ts';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import { type ApprovalKind, looseningLabels, twoFactorOffText } from '../kit/approvals.ts';
import { column, lines } from '../kit/columns.tsx';
import { DetailMember, DetailSection } from '../kit/detail-panel.tsx';

const looseningKind: ApprovalKind<Loosening> = {
  key: 'loosenings',
  also: ['members'],
  name: 'Proposal',
  list: (query, signal) => call(consoleLoosenings.listLoosenings, { query, signal }),
  approve: (params, body) => call(consoleLoosenings.approveLoosening, { params, body }),
  reject: (params, body) => call(consoleLoosenings.rejectLoosening, { params, body }),
  withdraw: (params, body) => call(consoleLoosenings.withdrawLoosening, { params, body }),
  second: 'operator',
  waits: true,
  states: { posted: 'Lifted' },
  approves: 'Approving lifts it immediately, two-factor authentication after seven days.',
  texts: (loosening) => ({
    approve: effectOf(loosening),
    reject: 'The restriction stays in force.',
    withdraw: 'The proposal is withdrawn. The restriction stays in force.',
  }),
  busy: 'Lifting',
  done: 'Restriction lifted',
};

/** Proposals to lift restrictions of members; they are made on the member's page. */
export const LooseningsPage = () => (
  <ApprovalPage
    kind={looseningKind}
    path="loosenings"
    title="Restrictions"
    facts="Proposals to unfreeze accounts, resume withdrawals, verify members and turn off their two-factor authentication. A second operator approves each one."
    label="Proposals"
    icon={IconLockOpen}
    columns={columns}
    sections={({ what, member, reason }) => (
      <>
        <DetailSection title="Proposal">{looseningLabels[what]}</DetailSection>
        <DetailMember member={member} />
        <DetailSection title="Reason">{reason}</DetailSection>
      </>
    )}
  />
);

/** The effect of approving, in the dialog that asks for the code. */
function effectOf({ what, member: { name } }: Loosening): string {
  switch (what) {
    case 'unfreeze':
      return `This unfreezes the account of ${name} immediately. Other restrictions stay in force. The member is notified.`;
    case 'lift_withdrawal_stop':
      return `This lifts the stop of withdrawals of ${name} immediately. Other restrictions stay in force. Approve only when you are sure that the request comes from the member.`;
    case 'verify':
      return `You confirm that the identity of ${name} was checked. In live mode only verified members are paid.`;
    case 'turn_off_two_factor':
      return `You confirm that the identity of ${name} was checked. ${twoFactorOffText}`;
  }
}

const columns = proposalColumns<Loosening>([
  column('Proposal', (row) => lines(looseningLabels[row.what], row.member.name)),
  column('Reason', (row) => row.reason, { drop: 'next' }),
]);
