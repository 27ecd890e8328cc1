import { Button, Text } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { useState } from 'react';
import { consoleAdjustments } from '#contract/endpoints.ts';
import type { Adjustment } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { consolePath } from '../../../ui/paths.ts';
import { Figure } from '../../../ui/text/figure.tsx';
import { SignedMoney } from '../../../ui/text/money.tsx';
import { TextLink } from '../../../ui/text/text.tsx';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import type { ApprovalKind } from '../kit/approvals.ts';
import { column, MemberCell, rightColumn } from '../kit/columns.tsx';
import { DetailMember, DetailSection } from '../kit/detail-panel.tsx';
import { SendDialog, toApprove } from '../kit/dialog-form.tsx';
import { financeRoles } from '../roles.ts';
import { checkWhy, ProposeAdjustment, WhyFields } from './propose-adjustment.tsx';

/** `$12.50 is debited from the Primary Wallet of Lena Hoffmann` */
function movement({ amount, wallet_type, member }: Pick<Adjustment, 'amount' | 'wallet_type' | 'member'>) {
  const way = amount > 0 ? 'credited to' : 'debited from';
  return `${formatMoney(Math.abs(amount), 'typed')} is ${way} the ${walletNames[wallet_type]} of ${member.name}`;
}

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

/** What an adjustment reverses, what reverses it, or the button that proposes it; nothing before it is posted. */
function ReversalSection({ adjustment }: { adjustment: Adjustment }) {
  const { role } = useOperator();
  const [isOpen, setOpen] = useState(false);
  const { reverses, reversed_by, state } = adjustment;
  const other = reverses ?? reversed_by;
  if (other !== null) {
    return (
      <DetailSection
        title={reverses ? 'Reverses' : reversed_by?.state === 'posted' ? 'Reversed by' : 'Reversal to approve'}
      >
        <TextLink to={`${consolePath('adjustments')}/${other.id}`}>{other.reference}</TextLink>
      </DetailSection>
    );
  }
  if (state !== 'posted' || !financeRoles.includes(role)) return null;
  return (
    <DetailSection title="Reversal">
      <Button variant="default" onClick={() => setOpen(true)}>
        Propose reversal
      </Button>
      <SendDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Propose to reverse ${adjustment.reference}`}
        initial={{ reason: '', evidence: '' }}
        check={checkWhy}
        confirm="Propose reversal"
        busyLabel="Proposing"
        send={(body) => call(consoleAdjustments.reverseAdjustment, { params: { id: adjustment.id }, body })}
        refreshes={['adjustments', 'overview']}
        done={toApprove('Reversal proposed')}
      >
        {({ typed }) => (
          <>
            <Text>Once approved, {movement({ ...adjustment, amount: -adjustment.amount })}.</Text>
            <WhyFields typed={typed} />
          </>
        )}
      </SendDialog>
    </DetailSection>
  );
}
