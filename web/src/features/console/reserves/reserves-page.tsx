import { Code, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { IconSignature } from '@tabler/icons-react';
import { consoleReserves } from '#contract/endpoints.ts';
import type { ReserveNetwork, ReserveProposal } from '#contract/solvency/reserves.ts';
import { call } from '../../../api/call.ts';
import { formatDate } from '../../../ui/format/time.ts';
import { Figure } from '../../../ui/text/figure.tsx';
import { shorten } from '../../../ui/text/text.tsx';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import type { ApprovalKind } from '../kit/approvals.ts';
import { CodeField, codeError } from '../kit/code-field.tsx';
import { column, lines, rightColumn } from '../kit/columns.tsx';
import { CopyBox, DetailSection } from '../kit/detail-panel.tsx';
import { REASON_MISSING, SendDialog, toApprove } from '../kit/dialog-form.tsx';
import { optionsOf } from '../ledger/labels.ts';

const reserveKind: ApprovalKind<ReserveProposal> = {
  key: 'reserves',
  name: 'Statement of reserves',
  list: (query, signal) => call(consoleReserves.listReserveProposals, { query, signal }),
  approve: (params, body) => call(consoleReserves.approveReserve, { params, body }),
  reject: (params, body) => call(consoleReserves.rejectReserve, { params, body }),
  withdraw: (params, body) => call(consoleReserves.withdrawReserve, { params, body }),
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

/** The balances of the company's addresses, signed with their keys. */
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

const networkLabels: Readonly<Record<ReserveNetwork, string>> = {
  bitcoin: 'Bitcoin (BIP-322)',
  bitcoin_testnet: 'Bitcoin testnet (BIP-322)',
  ethereum: 'Ethereum (EIP-191)',
};

const nothing = {
  network: 'bitcoin',
  address: '',
  amount: '',
  asset: 'BTC',
  message: '',
  signature: '',
  reason: '',
  otp: '',
};

/** A message signed elsewhere with the key of an address. The server verifies it, and another operator publishes it. */
function ProposeReserve({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SendDialog
      {...{ opened, onClose }}
      title="Propose a statement of reserves"
      size={520}
      initial={nothing}
      check={({ address, amount, asset, message, signature, reason, otp }) => ({
        ...(address === '' && { address: 'Enter the address.' }),
        ...(!/^\d+(\.\d{1,18})?$/.test(amount) && { amount: 'Enter an amount in numbers.' }),
        ...(!/^[A-Z0-9]{2,10}$/.test(asset) && { asset: 'Enter its symbol, such as BTC.' }),
        ...(message === '' && { message: 'Enter the message that was signed.' }),
        ...(signature === '' && { signature: 'Enter the signature.' }),
        ...(reason === '' && { reason: REASON_MISSING }),
        ...codeError(otp),
      })}
      confirm="Propose statement"
      busyLabel="Proposing"
      send={({ network, ...values }) =>
        call(consoleReserves.proposeReserve, { body: { network: network as ReserveNetwork, ...values } })
      }
      refreshes={['reserves', 'overview']}
      done={toApprove('Statement proposed')}
    >
      {({ values, set, typed, amount, code }) => (
        <>
          <Select
            label="Network"
            data={optionsOf(networkLabels)}
            allowDeselect={false}
            value={values.network}
            onChange={(next) => {
              if (next === null) return;
              set('network', next);
              set('asset', next === 'ethereum' ? 'ETH' : 'BTC');
            }}
          />
          <TextInput label="Address" autoComplete="off" spellCheck={false} {...typed('address')} />
          <SimpleGrid cols={2} spacing={12}>
            <TextInput label="Amount" {...amount('amount')} />
            <TextInput label="Asset" autoComplete="off" {...typed('asset')} />
          </SimpleGrid>
          <Textarea
            label="Signed message"
            description="Exactly as signed. It must contain its day, such as 2026-03-04."
            rows={3}
            maxLength={1000}
            spellCheck={false}
            {...typed('message')}
            onChange={({ currentTarget }) => set('message', currentTarget.value)}
          />
          <Textarea label="Signature" rows={2} maxLength={1000} spellCheck={false} {...typed('signature')} />
          <TextInput label="Reason" maxLength={300} {...typed('reason')} />
          <CodeField {...code('otp')} />
        </>
      )}
    </SendDialog>
  );
}
