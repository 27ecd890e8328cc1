import { IconAdjustments } from '@tabler/icons-react';
import { consoleAdjustments } from '#contract/endpoints.ts';
import type { Adjustment } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { Figure } from '../../../ui/text/figure.tsx';
import { SignedMoney } from '../../../ui/text/money.tsx';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import type { ApprovalKind } from '../kit/approvals.ts';
import { column, MemberCell, rightColumn } from '../kit/columns.tsx';
import { DetailMember, DetailSection } from '../kit/detail-panel.tsx';
import { ProposeAdjustment } from './propose-adjustment.tsx';
import { movement, ReversalSection } from './reversal-section.tsx';

const adjustmentKind: ApprovalKind<Adjustment> = {
  key: 'adjustments',
  name: 'Adjustment',
  list: (query, signal) => call(consoleAdjustments.listAdjustments, { query, signal }),
  approve: (params, body) => call(consoleAdjustments.approveAdjustment, { params, body }),
  reject: (params, body) => call(consoleAdjustments.rejectAdjustment, { params, body }),
  withdraw: (params, body) => call(consoleAdjustments.withdrawAdjustment, { params, body }),
  second: 'operator',
  approves: 'Approving posts it immediately.',
  texts: (adjustment) => ({
    approve: `${movement(adjustment)} immediately. The member is notified, with the reason.`,
    reject: 'No money moves.',
    withdraw: 'Your proposal is withdrawn. No money moves.',
  }),
  busy: 'Posting',
  done: 'Adjustment posted',
};

/** Corrections of wallets. */
export const AdjustmentsPage = () => (
  <ApprovalPage
    kind={adjustmentKind}
    path="adjustments"
    title="Adjustments"
    facts="Corrections of member wallets. A second operator approves each one, and the member sees the reason."
    label="Adjustments"
    icon={IconAdjustments}
    columns={columns}
    propose={{
      button: 'Propose adjustment',
      dialog: (opened, onClose) => <ProposeAdjustment {...{ opened, onClose }} />,
    }}
    lead={({ wallet_type, amount }) => (
      <Figure label={walletNames[wallet_type]} size="xl">
        <SignedMoney value={amount} plain />
      </Figure>
    )}
    sections={(adjustment) => (
      <>
        <DetailMember member={adjustment.member} />
        <DetailSection title="Reason, visible to the member">{adjustment.reason}</DetailSection>
        <DetailSection title="Evidence">{adjustment.evidence}</DetailSection>
        <ReversalSection adjustment={adjustment} />
      </>
    )}
  />
);

const columns = proposalColumns<Adjustment>(
  [column('Member', (row) => <MemberCell member={row.member} />)],
  [rightColumn('Amount', (row) => <SignedMoney value={row.amount} plain />, { width: '140px' })],
);
