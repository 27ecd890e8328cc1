import { IconAdjustments } from '@tabler/icons-react';
import type { Adjustment } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { Figure } from '../../../ui/text/figure.tsx';
import { SignedMoney } from '../../../ui/text/money.tsx';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import type { ApprovalKind } from '../kit/approvals.ts';
import { DetailSection } from '../kit/detail-panel.tsx';
import { MemberCell, MemberLink } from '../kit/member.tsx';
import { ProposeDialog } from './propose-dialog.tsx';

const rows = endpoints.consoleAdjustments;

export const adjustmentKind: ApprovalKind<Adjustment> = {
  key: 'adjustments',
  name: 'Adjustment',
  list: (query, signal) => call(rows.listAdjustments, { query, signal }),
  approve: (params, body) => call(rows.approveAdjustment, { params, body }),
  reject: (params, body) => call(rows.rejectAdjustment, { params, body }),
  withdraw: (params, body) => call(rows.withdrawAdjustment, { params, body }),
  second: 'operator',
  approves: 'Approving posts it at once.',
  texts: (adjustment) => ({
    approve: `${whatMoves(adjustment)}, at once. The member is told, with the reason.`,
    reject: 'Nothing moves.',
    withdraw: 'You take back what you proposed. Nothing moves.',
  }),
  busy: 'Posting',
  done: 'Posted',
};

/** Corrections of wallets: one operator proposes, another approves, always. */
export const AdjustmentsPage = () => (
  <ApprovalPage
    kind={adjustmentKind}
    path="adjustments"
    title="Adjustments"
    facts="A correction takes two operators, and the member reads the reason."
    label="Adjustments"
    icon={IconAdjustments}
    columns={columns}
    propose="Propose"
    dialog={(opened, onClose) => <ProposeDialog opened={opened} onClose={onClose} />}
    lead={({ wallet_type, amount }) => (
      <Figure label={walletNames[wallet_type]} size="xl">
        <SignedMoney value={amount} plain />
      </Figure>
    )}
    sections={({ member, reason, evidence }) => (
      <>
        <DetailSection title="Member">
          <MemberLink member={member} />
        </DetailSection>
        <DetailSection title="Reason, which the member reads">{reason}</DetailSection>
        <DetailSection title="Where the facts are">{evidence}</DetailSection>
      </>
    )}
  />
);

/** `$12.50 is taken out of the Primary Wallet of Lena Hoffmann` */
function whatMoves({ amount, wallet_type, member }: Adjustment): string {
  const way = amount > 0 ? 'goes into' : 'is taken out of';
  return `${formatMoney(Math.abs(amount), 'typed')} ${way} the ${walletNames[wallet_type]} of ${member.name}`;
}

const columns = proposalColumns<Adjustment>(
  [{ key: 'member', label: 'Member', render: (row) => <MemberCell member={row.member} /> }],
  [
    {
      key: 'amount',
      label: 'Amount',
      align: 'right',
      width: '140px',
      render: (row) => <SignedMoney value={row.amount} plain />,
    },
  ],
);
