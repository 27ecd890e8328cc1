import { IconBuildingBank } from '@tabler/icons-react';
import type { TreasuryMove } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import type { ApprovalKind } from '../kit/approvals.ts';
import { CopyBox } from '../kit/copy-box.tsx';
import { DetailSection } from '../kit/detail-panel.tsx';
import { kindWords, ProposeMove, sourceWords } from './propose-move.tsx';
import { TreasuryFigures } from './treasury-figures.tsx';

const rows = endpoints.consoleTreasury;

const moveKind: ApprovalKind<TreasuryMove> = {
  key: 'treasury',
  name: 'Treasury move',
  list: (query, signal) => call(rows.listTreasuryMoves, { query, signal }),
  approve: (params, body) => call(rows.approveTreasuryMove, { params, body }),
  reject: (params, body) => call(rows.rejectTreasuryMove, { params, body }),
  withdraw: (params, body) => call(rows.withdrawTreasuryMove, { params, body }),
  second: 'operator',
  approves: 'Approving posts it at once.',
  texts: ({ kind, source, amount }) => {
    const of = source ? `, ${sourceWords[source].toLowerCase()}` : '';
    const what = `${kindWords[kind]}${of}: ${formatMoney(amount, 'typed')}`;
    return {
      approve: `${what}. You have seen the payment outside; it is booked at once.`,
      reject: `${what}. Nothing is booked.`,
      withdraw: `${what}. You take back what you recorded; nothing is booked.`,
    };
  },
  busy: 'Booking',
  done: 'Booked',
};

/** The house's own money, and the moves of it that two operators book. */
export const TreasuryPage = () => (
  <ApprovalPage
    kind={moveKind}
    path="treasury"
    title="Treasury"
    facts="Moves of the house’s money are recorded by one operator and booked by another."
    label="Moves"
    icon={IconBuildingBank}
    columns={columns}
    propose="Record a move"
    dialog={(opened, onClose) => <ProposeMove opened={opened} onClose={onClose} />}
    lead={({ kind, source, amount }) => (
      <Figure label={kindWords[kind]} size="xl" foot={source && `from ${sourceWords[source]}`}>
        <Money value={amount} />
      </Figure>
    )}
    sections={({ reason, transaction }) => (
      <>
        <DetailSection title="Reason">{reason}</DetailSection>
        <DetailSection title="Payment outside">
          <CopyBox value={transaction} what="transaction hash" />
        </DetailSection>
      </>
    )}
  >
    <TreasuryFigures />
  </ApprovalPage>
);

const columns = proposalColumns<TreasuryMove>(
  [
    {
      key: 'kind',
      label: 'Move',
      render: (row) => (
        <>
          {kindWords[row.kind]}
          {row.source && <small>{sourceWords[row.source]}</small>}
        </>
      ),
    },
  ],
  [{ key: 'amount', label: 'Amount', align: 'right', width: '140px', render: (row) => <Money value={row.amount} /> }],
  'Recorded, UTC',
);
