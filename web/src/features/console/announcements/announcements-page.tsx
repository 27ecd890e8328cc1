import { Button, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operatorAnnouncements } from '#contract/endpoints.ts';
import type { AnnouncementProposal, OperatorAnnouncement } from '#contract/operator/announcements.ts';
import type { ProposalState } from '#contract/operator/proposals.ts';
import { announcementRules } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { DateField } from '../../../ui/forms/date-field.tsx';
import classes from '../../../ui/forms/dialog-form.module.css';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { ApprovalDetail, emptyOf, proposalColumns } from '../kit/approval-page.tsx';
import { type ApprovalKind, proposalQuery, stateLabelsOf, statesOf, useApprovals } from '../kit/approvals.ts';
import { CodeField, codeError } from '../kit/code-field.tsx';
import { column, lines, timeLines } from '../kit/columns.tsx';
import { type DecisionOptions, useDecisions } from '../kit/decisions.tsx';
import { DetailFacts, DetailPanel, DetailSection, OneOfList } from '../kit/detail-panel.tsx';
import { SendDialog } from '../kit/dialog-form.tsx';
import { ListFrame, useOpened, useTab } from '../kit/list-page.tsx';
import { ListTable, useList } from '../kit/list-table.tsx';
import { useQueueCounts } from '../shell/queries.ts';

const LIST_POLL_MS = 30_000;

const announcementKind: ApprovalKind<AnnouncementProposal> = {
  key: 'announcements',
  name: 'Proposed announcement',
  list: (query, signal) => call(operatorAnnouncements.listAnnouncementProposals, { query, signal }),
  approve: (params, body) => call(operatorAnnouncements.approveAnnouncement, { params, body }),
  reject: (params, body) => call(operatorAnnouncements.rejectAnnouncement, { params, body }),
  withdraw: (params, body) => call(operatorAnnouncements.withdrawAnnouncement, { params, body }),
  second: 'admin',
  proposers: ['support', 'admin'],
  states: { posted: 'Approved' },
  approves: 'Approving publishes it.',
  texts: () => ({
    approve: 'Every member sees it as it stands, for its period. It can be ended, not edited.',
    reject: 'No member sees it.',
    withdraw: 'Your proposal is withdrawn. No member sees it.',
  }),
  busy: 'Publishing',
  done: 'Announcement published',
};

type View = 'published' | ProposalState;
const views: readonly [View, ...View[]] = ['published', ...statesOf(announcementKind)];
const stateLabels = stateLabelsOf(announcementKind);

/** Announcements to all members, and those proposed by support operators. */
export function AnnouncementsPage() {
  const isAdmin = useOperator().role === 'admin';
  const [isWriting, setWriting] = useState(false);
  const { opened, close, rows } = useOpened('announcements');
  const tab = useTab<View>(views, { name: 'view', page: 'announcements' });
  const state = tab.value === 'published' ? undefined : tab.value;
  const counts = useQueueCounts();
  const published = useList<OperatorAnnouncement>({
    queryKey: ['announcements', 'list'],
    readPage: (query, signal) => call(operatorAnnouncements.listOperatorAnnouncements, { query, signal }),
    pollMs: LIST_POLL_MS,
    enabled: state === undefined,
  });
  const proposed = useApprovals(announcementKind, state ?? 'proposed', state !== undefined);
  const { data: proposal } = useQuery(proposalQuery(announcementKind, state && opened));
  return (
    <>
      <PageHead
        title="Announcements"
        facts={`Shown to every member above each page. You can end an announcement, but not edit it. ${isAdmin ? 'Those of support wait for you.' : 'An admin approves yours.'}`}
      >
        <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setWriting(true)}>
          New announcement
        </Button>
      </PageHead>
      <ListFrame
        tabs={{
          label: 'Announcements',
          tabs: views.map((value) => ({
            value,
            label: value === 'published' ? 'Published' : stateLabels[value],
            count: (value === 'proposed' && counts.announcements) || undefined,
          })),
          ...tab,
        }}
        detail={
          proposal ? (
            <ProposalDetail key={proposal.id} proposal={proposal} onClose={close} />
          ) : (
            state === undefined &&
            opened !== undefined && (
              <OneOfList key={opened} query={announcementQuery(opened)} kind="Announcement" onClose={close}>
                {(announcement) => <AnnouncementDetail announcement={announcement} onClose={close} />}
              </OneOfList>
            )
          )
        }
      >
        {state === undefined ? (
          <ListTable
            label="Announcements"
            columns={columns}
            {...rows}
            list={published}
            empty={{
              icon: IconSpeakerphone,
              title: 'No announcements yet',
              text: 'An announcement is shown to all members for the period you choose.',
            }}
          />
        ) : (
          <ListTable
            key={state}
            label={`Proposed announcements, ${stateLabels[state].toLowerCase()}`}
            columns={proposedColumns}
            {...rows}
            list={proposed}
            empty={{ icon: IconSpeakerphone, ...emptyOf('Announcements', stateLabels, state) }}
          />
        )}
      </ListFrame>
      <WriteDialog opened={isWriting} onClose={() => setWriting(false)} needsApproval={!isAdmin} />
    </>
  );
}

const proposedColumns = proposalColumns<AnnouncementProposal>([
  column('Announcement', (row) => lines(row.title, row.text)),
]);

type ProposalDetailProps = { proposal: AnnouncementProposal; onClose: () => void };

/** A support operator's proposal, as members would read it. */
function ProposalDetail({ proposal, onClose }: ProposalDetailProps) {
  const { title, text, from, to } = proposal;
  return (
    <ApprovalDetail kind={announcementKind} proposal={proposal} onClose={onClose}>
      <AnnouncementText {...{ title, text }} />
      <DetailFacts
        title="Period"
        items={[
          ['From', from === null ? 'on approval' : formatDateTime(from)],
          ['To', formatDateTime(to)],
        ]}
      />
    </ApprovalDetail>
  );
}

const AnnouncementText = ({ title, text }: Pick<OperatorAnnouncement, 'title' | 'text'>) => (
  <DetailSection title={title}>
    <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
      {text}
    </Text>
  </DetailSection>
);

const columns: readonly Column<OperatorAnnouncement>[] = [
  column('From, UTC', (row) => timeLines(row.from), { width: '120px' }),
  column('To, UTC', (row) => timeLines(row.to), { width: '120px', drop: 'next' }),
  column('Announcement', (row) => lines(row.title, row.text)),
  column('By', (row) => row.written_by.name, { width: '140px', drop: 'first' }),
  column('State', (row) => <StateBadge of="announcement" state={row.state} />, { width: '104px' }),
];

const endDecision: DecisionOptions = {
  button: 'End announcement',
  title: 'End this announcement',
  text: 'Members no longer see it. It cannot be restored, only published again.',
  busy: 'Ending',
  danger: true,
  done: 'Announcement ended',
};

const announcementQuery = (id: string) =>
  queryOf(['operator', 'announcements', 'one', id], operatorAnnouncements.listOperatorAnnouncements, {
    query: { id },
    pollMs: LIST_POLL_MS,
  });

/** An announcement as members read it, with who published and who ended it. */
function AnnouncementDetail({ announcement, onClose }: { announcement: OperatorAnnouncement; onClose: () => void }) {
  const { id, title, text, from, to, state, written_by, written_at, ended_by, ended_at } = announcement;
  const decisions = useDecisions({
    actions: state === 'waiting' || state === 'in_force' ? (['end'] as const) : [],
    decisionOf: () => ({ ...endDecision, send: () => call(operatorAnnouncements.endAnnouncement, { params: { id } }) }),
    refreshes: ['announcements'],
  });
  return (
    <DetailPanel
      title={`Announcement ${id}`}
      kind=""
      badge={<StateBadge of="announcement" state={state} />}
      {...{ onClose, decisions }}
    >
      <AnnouncementText {...{ title, text }} />
      <DetailFacts
        title="Period and authors"
        items={[
          ['From', formatDateTime(from)],
          ['To', formatDateTime(to)],
          ['Published', `${written_by.name}, ${formatDateTime(written_at)}`],
          ended_by && ended_at && ['Ended', `${ended_by.name}, ${formatDateTime(ended_at)}`],
        ]}
      />
    </DetailPanel>
  );
}

const nothing = { title: '', text: '', from_day: '', from_time: '', to_day: '', to_time: '', otp: '' };

type WriteDialogProps = { opened: boolean; onClose: () => void; needsApproval: boolean };

/** Publishes a notice to all members for a period, or proposes it to an admin. */
function WriteDialog({ opened, onClose, needsApproval }: WriteDialogProps) {
  return (
    <SendDialog
      {...{ opened, onClose }}
      title="New announcement"
      size={520}
      initial={nothing}
      nameOf={{ from: 'from_day', to: 'to_day' }}
      check={({ title, text, from_day, from_time, to_day, to_time, otp }) => ({
        ...(title === '' && { title: 'Enter a title.' }),
        ...(text === '' && { text: 'Enter the text.' }),
        ...(from_day === '' && from_time !== '' && { from_day: 'Enter the day, too.' }),
        ...(from_day !== '' && readUtc(from_day, from_time) === undefined && { from_time: TIME_MISSING }),
        ...(to_day === '' && { to_day: 'Enter when it ends.' }),
        ...(to_day !== '' && readUtc(to_day, to_time) === undefined && { to_time: TIME_MISSING }),
        ...codeError(otp),
      })}
      confirm={needsApproval ? 'Propose announcement' : 'Publish announcement'}
      busyLabel={needsApproval ? 'Proposing' : 'Publishing'}
      send={({ title, text, from_day, from_time, to_day, to_time, otp }) => {
        const [from, to = ''] = [readUtc(from_day, from_time), readUtc(to_day, to_time)];
        return call(operatorAnnouncements.writeAnnouncement, {
          body: { title, text, to, otp, ...(from !== undefined && { from }) },
        });
      }}
      refreshes={['announcements', 'overview']}
      done={({ announcement, proposal }) =>
        proposal
          ? ['Announcement proposed', `${proposal.reference} needs approval by an admin.`]
          : [announcement?.state === 'in_force' ? 'Announcement published' : 'Announcement scheduled']
      }
    >
      {({ values, set, typed, code }) => (
        <>
          <div className={classes.words}>
            Say what happened or will happen, and when. Never promise or suggest a return. You cannot edit it
            afterwards, only end it.{needsApproval && ' Members see it once an admin has approved it.'}
          </div>
          <TextInput
            label="Title"
            description={lengthOf(values, 'title')}
            autoComplete="off"
            maxLength={announcementRules.titleMaxLength}
            {...typed('title')}
          />
          <Textarea
            label="Text"
            description={`Plain text. Line breaks are kept. ${lengthOf(values, 'text')}`}
            rows={5}
            maxLength={announcementRules.textMaxLength}
            {...typed('text')}
            onChange={(event) => set('text', event.currentTarget.value)}
          />
          <SimpleGrid cols={2} spacing="sm">
            <DateField
              {...typed('from_day')}
              label="From"
              description="Empty: immediately."
              value={values.from_day || undefined}
              onChange={(day) => set('from_day', day ?? '')}
            />
            <TextInput label="From, time UTC" placeholder="08:00" autoComplete="off" {...typed('from_time')} />
            <DateField
              {...typed('to_day')}
              label="To"
              description="Real time, not market time."
              value={values.to_day || undefined}
              onChange={(day) => set('to_day', day ?? '')}
            />
            <TextInput label="To, time UTC" placeholder="16:30" autoComplete="off" {...typed('to_time')} />
          </SimpleGrid>
          <CodeField {...code('otp')} />
        </>
      )}
    </SendDialog>
  );
}

const lengthOf = (values: typeof nothing, field: 'title' | 'text'): string =>
  `${values[field].length} of ${announcementRules[`${field}MaxLength`]}`;

const TIME_MISSING = 'Enter a time such as 16:30.';

/** `readUtc('2026-03-04', '14:05')` is `2026-03-04T14:05:00.000Z`; undefined when invalid. */
export function readUtc(day: string, time: string): string | undefined {
  if (!/^\d{1,2}:\d{2}$/.test(time)) return undefined;
  const at = new Date(`${day}T${time.padStart(5, '0')}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
