import { Code } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import type { ReserveNetwork, ReserveProposal } from '#contract/solvency/reserves.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { formatDate } from '../../../ui/format/time.ts';
import { Figure } from '../../../ui/text/figure.tsx';
import { shorten } from '../../../ui/text/text.tsx';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import type { ApprovalKind } from '../kit/approvals.ts';
import { column, lines, rightColumn } from '../kit/columns.tsx';
import { CopyBox, DetailSection } from '../kit/detail-panel.tsx';
import { networkLabels, ProposeReserve } from './propose-reserve.tsx';

const rows = endpoints.consoleReserves;

const reserveKind: ApprovalKind<ReserveProposal> = {
  key: 'reserves',
  name: 'Statement of reserves',
  list: (query, signal) => call(rows.listReserveProposals, { query, signal }),
  approve: (params, body) => call(rows.approveReserve, { params, body }),
  reject: (params, body) => call(rows.rejectReserve, { params, body }),
  withdraw: (params, body) => call(rows.withdrawReserve, { params, body }),
  second: 'operator',
  states: { posted: 'Published' },
  approves: 'Approving publishes it immediately.',
  texts: ({ amount, asset, address }) => {
    const what = `${amount} ${asset} at ${address}.`;
    return {
      approve: `${what} Confirm that the address holds it. Every member reads the statement immediately.`,
      reject: `${what} Nothing is published.`,
      withdraw: `${what} Your proposal is withdrawn and nothing is published.`,
    };
  },
  busy: 'Publishing',
  done: 'Statement of reserves published',
};

/** What the company's addresses hold, signed with their keys. */
export const ReservesPage = () => (
  <ApprovalPage
    kind={reserveKind}
    path="reserves"
    title="Reserves"
    facts="Signed statements of what addresses of the company hold. One operator proposes, another one publishes."
    label="Statements"
    icon={IconSignature}
    columns={columns}
    propose={{
      button: 'Propose statement',
      dialog: (opened, onClose) => <ProposeReserve opened={opened} onClose={onClose} />,
    }}
    lead={({ network, amount, asset, signed_on }) => (
      <Figure
        label={networkLabels[network as ReserveNetwork]}
        size="xl"
        foot={`signed ${formatDate(signed_on)}, signature verified`}
      >
        {`${amount} ${asset}`}
      </Figure>
    )}
    sections={({ reason, address, message, signature }) => (
      <>
        <DetailSection title="Reason">{reason}</DetailSection>
        <DetailSection title="Address">
          <CopyBox value={address} what="address" />
        </DetailSection>
        <DetailSection title="Signed message">
          <Code block translate="no" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {message}
          </Code>
        </DetailSection>
        <DetailSection title="Signature">
          <CopyBox value={signature} what="signature" />
        </DetailSection>
      </>
    )}
  />
);

const columns = proposalColumns<ReserveProposal>(
  [column('Address', (row) => lines(networkLabels[row.network as ReserveNetwork], shorten(row.address, 8)))],
  [rightColumn('Amount', (row) => `${row.amount} ${row.asset}`, { width: '160px' })],
);
