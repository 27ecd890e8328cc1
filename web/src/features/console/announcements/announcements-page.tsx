import { Button, Text } from '@mantine/core';
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { useState } from 'react';
import type { OperatorAnnouncement } from '#contract/operator/announcements.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { column, lines } from '../kit/columns.tsx';
import { type Decision, type DecisionWords, useDecisions } from '../kit/decisions.tsx';
import { DetailFacts, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { WriteDialog } from './write-dialog.tsx';

const LIST_POLL_MS = 30_000;
const rows = endpoints.operatorAnnouncements;

/** Notices to all members. */
export function AnnouncementsPage() {
  const [isWriting, setWriting] = useState(false);
  const list = useList<OperatorAnnouncement>({
    queryKey: ['announcements', 'list'],
    readPage: (query, signal) => call(rows.listOperatorAnnouncements, { query, signal }),
    pollMs: LIST_POLL_MS,
  });
  return (
    <>
      <ListPage
        path="announcements"
        title="Announcements"
        facts="Shown to every member above each page. You can end an announcement, but not edit it."
        actions={
          <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setWriting(true)}>
            New announcement
          </Button>
        }
        label="Announcements"
        columns={columns}
        list={list}
        empty={{
          icon: <IconSpeakerphone size={20} stroke={1.5} />,
          title: 'No announcements yet',
          text: 'An announcement is shown to all members for the period you choose.',
        }}
        detail={(id, close, row) => row && <AnnouncementDetail key={id} announcement={row} onClose={close} />}
      />
      <WriteDialog opened={isWriting} onClose={() => setWriting(false)} />
    </>
  );
}

const columns: readonly Column<OperatorAnnouncement>[] = [
  column('From, UTC', (row) => formatShortDateTime(row.from), { width: '120px' }),
  column('To, UTC', (row) => formatShortDateTime(row.to), { width: '120px', from: 'middle' }),
  column('Announcement', (row) => lines(row.title, row.text)),
  column('By', (row) => row.written_by.name, { width: '140px', from: 'wide' }),
  column('State', (row) => <StateBadge of="announcement" state={row.state} />, { width: '104px' }),
];

const endWords: DecisionWords = {
  button: 'End announcement',
  title: 'End this announcement',
  text: 'Members no longer see it. It cannot be restored, only published again.',
  busy: 'Ending',
  danger: true,
  done: 'Announcement ended',
};

/** One announcement as members read it, with who published it and who ended it. */
function AnnouncementDetail({ announcement, onClose }: { announcement: OperatorAnnouncement; onClose: () => void }) {
  const { id, title, text, from, to, state, written_by, written_at, ended_by, ended_at } = announcement;
  const decisions = useDecisions({
    actions: state === 'waiting' || state === 'in_force' ? (['end'] as const) : [],
    version: 1,
    wordsOf: () => endWords,
    mutation: useOperatorMutation(
      (_: Decision<'end'>) => call(rows.endAnnouncement, { params: { id } }),
      ['announcements'],
    ),
  });
  return (
    <DetailPanel
      title={`Announcement ${id}`}
      kind=""
      badge={<StateBadge of="announcement" state={state} />}
      {...{ onClose, decisions }}
    >
      <DetailSection title={title}>
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {text}
        </Text>
      </DetailSection>
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
