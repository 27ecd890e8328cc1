import { Button, Text, TextInput } from '@mantine/core';
import { IconFileCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { consoleStatement } from '#contract/endpoints.ts';
import type { ProposalState } from '#contract/operator/proposals.ts';
import type {
  ExchangeStatement,
  Settlement,
  StatementFinding,
  StatementSettlement,
} from '#contract/operator/statement.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/csv.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatCount } from '../../../ui/format/number.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { ApprovalDetail, emptyOf, proposalColumns } from '../kit/approval-page.tsx';
import { type ApprovalKind, proposalQuery, stateLabelsOf, statesOf, useApprovals } from '../kit/approvals.ts';
import { column, lines, rightColumn, timeLines } from '../kit/columns.tsx';
import { countOf } from '../kit/count-of.ts';
import { DetailFacts, DetailLead, DetailPanel, DetailSection, OneOfList } from '../kit/detail-panel.tsx';
import { REASON_MISSING, SegmentsField, SendDialog, toApprove } from '../kit/dialog-form.tsx';
import { ListFrame, useOpened, useTab } from '../kit/list-page.tsx';
import { ListTable, useList } from '../kit/list-table.tsx';
import { FailedImport, Imports, kindLabels, StatementHead } from '../kit/statement.tsx';
import { financeRoles } from '../roles.ts';
import { amountOf, effectOf, FindingFacts, howLabels, titleOf, whyOpen } from './finding-facts.tsx';

const POLL_MS = 15_000;

const statementQuery = queryOf(['operator', 'statement', 'imports'], consoleStatement.getStatement, {
  pollMs: POLL_MS,
});

const settlementKind: ApprovalKind<StatementSettlement> = {
  key: 'statement',
  also: ['venue_fills'],
  name: 'Settlement',
  list: (query, signal) => call(consoleStatement.listSettlements, { query, signal }),
  approve: (params, body) => call(consoleStatement.approveSettlement, { params, body }),
  reject: (params, body) => call(consoleStatement.rejectSettlement, { params, body }),
  withdraw: (params, body) => call(consoleStatement.withdrawSettlement, { params, body }),
  second: 'operator',
  states: { posted: 'Settled' },
  approves: 'Approving settles it immediately.',
  texts: (settlement) => {
    const what = `${titleOf(settlement.finding)}, ${amountOf(settlement.finding)}.`;
    return {
      approve: `${what} Confirm that you have seen it at the exchange. ${effectOf(settlement)}`,
      reject: `${what} It stays open.`,
      withdraw: `${what} Your proposal is withdrawn and the entry stays open.`,
    };
  },
  busy: 'Settling',
  done: 'Entry settled',
};

type View = 'open' | ProposalState | 'matched';
const views: readonly [View, ...View[]] = ['open', ...statesOf(settlementKind), 'matched'];
const stateLabels = stateLabelsOf(settlementKind);
const viewLabels: Record<View, string> = { open: 'Open', ...stateLabels, matched: 'Matched later' };

/** Entries of our account at the exchange, and those missing from the ledger. */
export function ExchangeStatementPage() {
  const statement = useQuery(statementQuery);
  const { opened, close, rows } = useOpened('exchange-statement');
  const tab = useTab<View>(views, { name: 'view', page: 'exchange-statement' });
  const view = tab.value;
  const isFinding = view === 'open' || view === 'matched';
  const findings = useList<StatementFinding>({
    queryKey: ['statement', 'findings', view],
    readPage: (query: PageQuery, signal) =>
      call(consoleStatement.listFindings, {
        query: { ...query, state: view === 'matched' ? 'matched' : 'open' },
        signal,
      }),
    pollMs: POLL_MS,
    enabled: isFinding,
  });
  const settlements = useApprovals(settlementKind, isFinding ? 'proposed' : view);
  const { data: settlement } = useQuery(proposalQuery(settlementKind, isFinding ? undefined : opened));
  const counts: Partial<Record<View, number | undefined>> = { open: statement.data?.open };
  const openTitle = statement.data?.imports.length ? 'Everything matches' : 'No open entries';
  return (
    <>
      <StatementHead
        title="Exchange statement"
        facts="What the exchange lists is matched to the ledger. One operator settles what is left, another one approves it."
        query={statement}
        queryKey="statement"
        onImport={() => call(consoleStatement.importStatement)}
        importOf={({ exchange, asked }) => ({ can: exchange !== null, isRequested: asked })}
        asked="A worker reads the statement within a minute, or when the session has ended."
      >
        {({ exchange, imports, fault, fault_at }) => (
          <>
            <FailedImport fault={fault} at={fault_at} />
            <Imports
              rows={imports.slice(0, SHOWN).map(importRow)}
              none={
                exchange === null
                  ? 'Trades are filled on paper: there is no exchange to compare with.'
                  : 'The first import follows the next session.'
              }
            />
          </>
        )}
      </StatementHead>
      <ListFrame
        tabs={{
          label: 'Entries',
          tabs: views.map((value) => ({ value, label: viewLabels[value], count: counts[value] || undefined })),
          ...tab,
        }}
        detail={
          settlement ? (
            <SettlementDetail key={settlement.id} settlement={settlement} onClose={close} />
          ) : (
            isFinding &&
            opened !== undefined && (
              <OneOfList key={opened} query={findingQuery(opened)} kind="Entry" onClose={close}>
                {(finding) => <FindingDetail finding={finding} onClose={close} />}
              </OneOfList>
            )
          )
        }
      >
        {isFinding ? (
          <ListTable
            key={view}
            label={view === 'open' ? 'Open entries, oldest first' : 'Entries matched later, newest first'}
            columns={findingColumns}
            {...rows}
            list={findings}
            empty={{
              icon: IconFileCheck,
              title: view === 'open' ? openTitle : 'No entries matched later',
              text: 'Entries of the exchange’s statement that the ledger does not have, and the other way round, appear here.',
            }}
          />
        ) : (
          <ListTable
            key={view}
            label={`Settlements, ${stateLabels[view].toLowerCase()}`}
            columns={settlementColumns}
            {...rows}
            list={settlements}
            empty={{ icon: IconFileCheck, ...emptyOf('Settlements', stateLabels, view) }}
          />
        )}
      </ListFrame>
    </>
  );
}

/** From the latest imports. */
const SHOWN = 3;

const importRow = (one: ExchangeStatement['imports'][number]) => ({
  key: one.id,
  what: `${formatShortDateTime(one.covered_from)} to ${formatDateTime(one.covered_to)}`,
  detail: one.exchange,
  count: `${countOf(one.lines, 'line')}, ${formatCount(one.new_lines)} new`,
  countDetail: `${formatCount(one.matched)} matched`,
});

const whenOf = ({ line, booking }: StatementFinding): string => line?.at ?? booking?.at ?? '';

const findingColumns = [
  column<StatementFinding>('Time, UTC', (row) => timeLines(whenOf(row)), { width: '128px' }),
  column<StatementFinding>('Entry', (row) => lines(titleOf(row), kindLabels[row.kind])),
  column<StatementFinding>(
    'Id',
    (row) => <CodeText>{row.line?.id ?? row.booking?.trade_id ?? row.booking?.reference ?? ''}</CodeText>,
    {
      width: '172px',
      drop: 'first',
    },
  ),
  column<StatementFinding>('Proposal', (row) => row.settlement && <CodeText>{row.settlement}</CodeText>, {
    width: '104px',
    drop: 'next',
  }),
  rightColumn<StatementFinding>('Amount', amountOf, { width: '144px' }),
];

const settlementColumns = proposalColumns<StatementSettlement>(
  [column('Entry', ({ finding, how }) => lines(titleOf(finding), howLabels[how]))],
  [rightColumn('Amount', ({ finding }) => amountOf(finding), { width: '150px' })],
);

const findingQuery = (id: string) =>
  queryOf(['operator', 'statement', 'one', id], consoleStatement.listFindings, { query: { id }, pollMs: POLL_MS });

function FindingDetail({ finding, onClose }: { finding: StatementFinding; onClose: () => void }) {
  const [isSettling, setSettling] = useState(false);
  const { state, settlement, kind } = finding;
  const isOpen = state === 'open';
  const isFinance = financeRoles.includes(useOperator().role);
  const mayPropose = isOpen && settlement === null && isFinance;
  return (
    <>
      <DetailPanel
        title={`No. ${finding.id}`}
        kind="Entry"
        badge={
          <StateBadge of="asset" state={isOpen ? 'stale' : 'on'}>
            {isOpen ? kindLabels[kind] : 'Matched'}
          </StateBadge>
        }
        onClose={onClose}
        foot={mayPropose && <Button onClick={() => setSettling(true)}>Settle entry</Button>}
        note={isOpen && noteOf(finding, isFinance)}
      >
        <DetailLead>
          <Figure label={titleOf(finding)} size="xl" foot={isOpen && whyOpen(finding)}>
            {amountOf(finding)}
          </Figure>
        </DetailLead>
        <FindingFacts finding={finding} />
        <DetailFacts
          title="Found"
          items={[
            ['Compared', formatDateTime(finding.found_at)],
            finding.closed_at !== null && ['Matched', formatDateTime(finding.closed_at)],
          ]}
        />
      </DetailPanel>
      <SettleDialog finding={finding} opened={isSettling} onClose={() => setSettling(false)} />
    </>
  );
}

/** Of an open entry: how it can be settled, or why it cannot be. */
function noteOf({ settlement, bookable }: StatementFinding, isFinance: boolean): string {
  if (settlement !== null) return `${settlement} waits for a second operator.`;
  if (!isFinance) return 'Only finance and admins settle entries.';
  return bookable ? 'It can be booked or explained.' : 'It can be explained. What is recorded later matches by itself.';
}

type SettlementDetailProps = { settlement: StatementSettlement; onClose: () => void };

const SettlementDetail = ({ settlement, onClose }: SettlementDetailProps) => (
  <ApprovalDetail
    kind={settlementKind}
    proposal={settlement}
    onClose={onClose}
    {...(settlement.state === 'proposed' &&
      settlement.finding.state !== 'open' && { blockedBy: 'The entry was matched or settled meanwhile.' })}
    lead={
      <Figure
        label={titleOf(settlement.finding)}
        size="xl"
        foot={`${kindLabels[settlement.finding.kind]}. ${effectOf(settlement)}`}
      >
        {amountOf(settlement.finding)}
      </Figure>
    }
  >
    <DetailFacts title="Settlement" items={[['How', howLabels[settlement.how]]]} />
    <DetailSection title="Reason">{settlement.reason}</DetailSection>
    <FindingFacts finding={settlement.finding} />
  </ApprovalDetail>
);

type SettleDialogProps = { finding: StatementFinding; opened: boolean; onClose: () => void };

/** How an entry is resolved; a second operator approves. */
function SettleDialog({ finding, opened, onClose }: SettleDialogProps) {
  const ways: readonly Settlement[] = finding.bookable ? ['booked', 'explained'] : ['explained'];
  return (
    <SendDialog
      {...{ opened, onClose }}
      title="Settle entry"
      initial={{ how: ways[0] as string, reason: '' }}
      check={({ reason }) => (reason === '' ? { reason: REASON_MISSING } : {})}
      confirm="Propose"
      busyLabel="Proposing"
      send={({ how, reason }) =>
        call(consoleStatement.proposeSettlement, {
          body: { finding_id: finding.id, how: how as Settlement, reason },
        })
      }
      refreshes={['statement', 'overview']}
      done={toApprove('Settlement proposed')}
    >
      {({ values, set, typed }) => (
        <>
          <Text size="sm">{`${titleOf(finding)}, ${amountOf(finding)}`}</Text>
          {ways.length > 1 && (
            <SegmentsField<Settlement>
              label="How"
              options={ways.map((value) => ({ value, label: howLabels[value] }))}
              value={values.how as Settlement}
              onChange={(how) => set('how', how)}
            />
          )}
          <Text size="sm" c="dimmed">
            {effectOf({ how: values.how as Settlement, finding })}
          </Text>
          <TextInput label="Reason" maxLength={300} {...typed('reason')} />
        </>
      )}
    </SendDialog>
  );
}
