import { Button, Text, TextInput } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { consoleGatewayStatement } from '#contract/endpoints.ts';
import type { GatewayFinding, GatewayStatement } from '#contract/operator/gateway-statement.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/csv.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { column, lines, rightColumn, timeLines } from '../kit/columns.tsx';
import { countOf } from '../kit/count-of.ts';
import {
  CopyBox,
  DetailFacts,
  DetailLead,
  DetailPanel,
  DetailSection,
  OneOfList,
  Quiet,
} from '../kit/detail-panel.tsx';
import { REASON_MISSING, SendDialog } from '../kit/dialog-form.tsx';
import { ListFrame, useOpened, useTab } from '../kit/list-page.tsx';
import { ListTable, useList } from '../kit/list-table.tsx';
import { FailedImport, Imports, kindLabels, StatementHead } from '../kit/statement.tsx';
import { financeRoles } from '../roles.ts';

const POLL_MS = 15_000;

const statementQuery = queryOf(
  ['operator', 'gateway-statement', 'imports'],
  consoleGatewayStatement.getGatewayStatement,
  {
    pollMs: POLL_MS,
  },
);

type View = GatewayFinding['state'];
const views: readonly [View, ...View[]] = ['open', 'explained', 'matched'];
const viewLabels: Record<View, string> = { open: 'Open', explained: 'Explained', matched: 'Matched later' };
const gatewayNames: Record<string, string> = { btcpay: 'BTCPay Server', nowpayments: 'NOWPayments' };
const nameOf = (gateway: string): string => gatewayNames[gateway] ?? gateway;

/** Transactions listed by the payment gateways, and those missing from the ledger. */
export function GatewayStatementPage() {
  const statement = useQuery(statementQuery);
  const { opened, close, rows } = useOpened('gateway-statement');
  const tab = useTab<View>(views, { name: 'view' });
  const view = tab.value;
  const findings = useList<GatewayFinding>({
    queryKey: ['gateway-statement', 'findings', view],
    readPage: (query: PageQuery, signal) =>
      call(consoleGatewayStatement.listGatewayFindings, { query: { ...query, state: view }, signal }),
    pollMs: POLL_MS,
  });
  const isImported = statement.data?.gateways.some((one) => one.covered_to !== null);
  const openTitle = isImported ? 'Everything matches' : 'No open entries';
  return (
    <>
      <StatementHead
        title="Gateway statement"
        facts="What payment gateways list is matched to deposits, payouts and network fees once a day. What is left stays here until it matches or is explained."
        query={statement}
        queryKey="gateway-statement"
        onImport={() => call(consoleGatewayStatement.importGatewayStatement)}
        importOf={({ gateways }) => ({ can: gateways.length > 0, isRequested: gateways.some(({ asked }) => asked) })}
        asked="A worker reads the statements within a minute."
      >
        {({ gateways }) => (
          <>
            {gateways.map(({ gateway, fault, fault_at }) => (
              <FailedImport key={gateway} of={nameOf(gateway)} fault={fault} at={fault_at} />
            ))}
            <Imports
              rows={gateways.map(importRow)}
              none="The sandbox moves no money: there is nothing to compare with."
            />
          </>
        )}
      </StatementHead>
      <ListFrame
        tabs={{
          label: 'Entries',
          tabs: views.map((value) => ({
            value,
            label: viewLabels[value],
            count: value === 'open' ? statement.data?.open || undefined : undefined,
          })),
          ...tab,
        }}
        detail={
          opened !== undefined && (
            <OneOfList key={opened} query={findingQuery(opened)} kind="Entry" onClose={close}>
              {(finding) => <FindingDetail finding={finding} onClose={close} />}
            </OneOfList>
          )
        }
      >
        <ListTable
          key={view}
          label={view === 'open' ? 'Open entries, oldest first' : `${viewLabels[view]}, newest first`}
          columns={columns}
          {...rows}
          list={findings}
          empty={{
            icon: IconReceipt,
            title: view === 'open' ? openTitle : `Nothing ${viewLabels[view].toLowerCase()}`,
            text: 'Payments, payouts and fees that a gateway lists and the ledger does not have, and the other way round, appear here.',
          }}
        />
      </ListFrame>
    </>
  );
}

const importRow = ({ gateway, covered_from, covered_to, entries }: GatewayStatement['gateways'][number]) => ({
  key: gateway,
  what: nameOf(gateway),
  detail:
    covered_from !== null && covered_to !== null
      ? `${formatShortDateTime(covered_from)} to ${formatDateTime(covered_to)}`
      : 'Not imported yet',
  count: countOf(entries, 'entry', 'entries'),
});

/** Exact decimal with its asset: `−0.25 BTC`. */
const amountOf = (units: string | null, asset: string): string =>
  units === null ? 'None' : `${units.replace('-', '−')} ${asset}`;

const titleOf = ({ about, listed, booked }: GatewayFinding): string => {
  if (about === 'payment') return 'Payment';
  return (listed ?? booked ?? '').startsWith('-') ? 'Payout' : 'Incoming transaction';
};

const columns = [
  column<GatewayFinding>('Time, UTC', (row) => timeLines(row.at), { width: '128px' }),
  column<GatewayFinding>('Entry', (row) => lines(titleOf(row), kindLabels[row.kind])),
  column<GatewayFinding>('Gateway', (row) => nameOf(row.gateway), { width: '132px', drop: 'next' }),
  column<GatewayFinding>('Reference', (row) => row.reference && <CodeText>{row.reference}</CodeText>, {
    width: '120px',
    drop: 'first',
  }),
  rightColumn<GatewayFinding>('Amount', (row) => amountOf(row.listed ?? row.booked, row.asset), { width: '150px' }),
];

const whyOpen: Record<GatewayFinding['kind'], string> = {
  unmatched: 'The gateway lists it, but no booking matches it.',
  missing: 'It is booked, but the gateway does not list it.',
  differs: 'Gateway and ledger show different amounts.',
};

const findingQuery = (id: string) =>
  queryOf(['operator', 'gateway-statement', 'one', id], consoleGatewayStatement.listGatewayFindings, {
    query: { id },
    pollMs: POLL_MS,
  });

function FindingDetail({ finding, onClose }: { finding: GatewayFinding; onClose: () => void }) {
  const { role } = useOperator();
  const [isExplaining, setExplaining] = useState(false);
  const { state, kind, asset, about, about_id, reference } = finding;
  const isOpen = state === 'open';
  const mayExplain = isOpen && financeRoles.includes(role);
  return (
    <>
      <DetailPanel
        title={`No. ${finding.id}`}
        kind="Entry"
        badge={
          <StateBadge of="asset" state={isOpen ? 'stale' : 'on'}>
            {isOpen ? kindLabels[kind] : viewLabels[state]}
          </StateBadge>
        }
        onClose={onClose}
        foot={mayExplain && <Button onClick={() => setExplaining(true)}>Explain entry</Button>}
        note={isOpen ? (mayExplain ? undefined : 'Only finance and admins explain entries.') : undefined}
      >
        <DetailLead>
          <Figure label={titleOf(finding)} size="xl" foot={isOpen && whyOpen[kind]}>
            {amountOf(finding.listed ?? finding.booked, asset)}
          </Figure>
        </DetailLead>
        <DetailFacts
          title="Compared"
          items={[
            ['Gateway', nameOf(finding.gateway)],
            ['Listed', amountOf(finding.listed, asset)],
            ['Booked', amountOf(finding.booked, asset)],
            reference !== null && ['Reference', reference],
            ['Time', formatDateTime(finding.at)],
            ['Found', formatDateTime(finding.found_at)],
            finding.closed_at !== null && ['Closed', formatDateTime(finding.closed_at)],
          ]}
        />
        <DetailSection title={aboutLabels[about]}>
          <CopyBox value={about_id} what={aboutLabels[about].toLowerCase()} />
        </DetailSection>
        {finding.explanation !== null && (
          <DetailSection title="Explanation">
            {finding.explanation}
            {finding.operator !== null && <Quiet>{finding.operator}</Quiet>}
          </DetailSection>
        )}
      </DetailPanel>
      <ExplainDialog finding={finding} opened={isExplaining} onClose={() => setExplaining(false)} />
    </>
  );
}

const aboutLabels = { payment: 'Invoice', payout: 'Payout', transaction: 'Transaction' } as const;

function ExplainDialog({ finding, ...frame }: { finding: GatewayFinding; opened: boolean; onClose: () => void }) {
  return (
    <SendDialog
      {...frame}
      title="Explain entry"
      initial={{ reason: '' }}
      check={({ reason }) => (reason === '' ? { reason: REASON_MISSING } : {})}
      confirm="Explain"
      busyLabel="Saving"
      send={({ reason }) =>
        call(consoleGatewayStatement.explainGatewayFinding, {
          params: { id: finding.id },
          body: { reason, listed: finding.listed, booked: finding.booked },
        })
      }
      refreshes={['gateway-statement', 'overview']}
      done={() => ['Entry explained', 'It opens again when its figures change.']}
    >
      {({ typed }) => (
        <>
          <Text size="sm">{`${titleOf(finding)}, ${amountOf(finding.listed ?? finding.booked, finding.asset)}`}</Text>
          <Text size="sm" c="dimmed">
            Nothing is booked. Use an adjustment or a treasury move for what has to be.
          </Text>
          <TextInput label="Reason" maxLength={300} {...typed('reason')} />
        </>
      )}
    </SendDialog>
  );
}
