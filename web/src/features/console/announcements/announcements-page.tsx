import { Button, Text } from '@mantine/core';
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { useState } from 'react';
import type { DeskAnnouncement } from '#contract/operator/announcements.ts';
import { formatDateTime, formatShortDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { DetailLead, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/list-table.tsx';
import { useDecisions } from '../kit/use-decisions.tsx';
import { endWords, readAnnouncements, useEndAnnouncement } from './queries.ts';
import { WriteDialog } from './write-dialog.tsx';

const LIST_POLL_MS = 30_000;

/** What all members are told, for a while. */
export function AnnouncementsPage() {
  const [isWriting, setWriting] = useState(false);
  const list = useList<DeskAnnouncement>({
    queryKey: ['announcements', 'list'],
    readPage: readAnnouncements,
    pollMs: LIST_POLL_MS,
  });
  return (
    <>
      <ListPage
        path="announcements"
        title="Announcements"
        facts="Every member reads them above each page. They are ended, never changed."
        actions={
          <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setWriting(true)}>
            Write
          </Button>
        }
        label="Announcements"
        columns={columns}
        list={list}
        empty={{
          icon: <IconSpeakerphone size={20} stroke={1.5} />,
          title: 'Nothing was announced yet',
          text: 'What all members should know stands above their pages for as long as you say.',
        }}
        detail={(id, close, row) => row && <AnnouncementDetail key={id} announcement={row} onClose={close} />}
      />
      <WriteDialog opened={isWriting} onClose={() => setWriting(false)} />
    </>
  );
}

const columns: readonly Column<DeskAnnouncement>[] = [
  { key: 'from', label: 'From, UTC', width: '120px', render: (row) => formatShortDateTime(row.from) },
  { key: 'to', label: 'To, UTC', width: '120px', from: 'middle', render: (row) => formatShortDateTime(row.to) },
  {
    key: 'title',
    label: 'Announcement',
    render: (row) => (
      <>
        {row.title}
        <small>{row.text}</small>
      </>
    ),
  },
  { key: 'by', label: 'By', width: '140px', from: 'wide', render: (row) => row.written_by.name },
  {
    key: 'state',
    label: 'State',
    width: '104px',
    render: (row) => <StateBadge of="announcement" state={row.state} />,
  },
];

/** One announcement as members read it, with who wrote it and who ended it. */
function AnnouncementDetail({ announcement, onClose }: { announcement: DeskAnnouncement; onClose: () => void }) {
  const { id, title, text, from, to, state, written_by, written_at, ended_by, ended_at } = announcement;
  const { buttons, dialog, changed } = useDecisions({
    decisions: state === 'waiting' || state === 'in_force' ? (['end'] as const) : [],
    // It is never changed, so there is only one.
    version: 1,
    wordsOf: () => endWords,
    mutation: useEndAnnouncement(id),
  });
  return (
    <>
      <DetailPanel
        title={`Announcement ${id}`}
        kind=""
        badge={<StateBadge of="announcement" state={state} />}
        onClose={onClose}
        foot={buttons.length > 0 && buttons}
      >
        {changed && (
          <DetailLead>
            <Banner tone="amber">{changed}</Banner>
          </DetailLead>
        )}
        <DetailSection title={title}>
          <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            {text}
          </Text>
        </DetailSection>
        <DetailSection title="When and by whom">
          <KeyValues
            items={[
              ['From', formatDateTime(from)],
              ['To', formatDateTime(to)],
              ['Written', `${written_by.name}, ${formatDateTime(written_at)}`],
              ...(ended_by && ended_at ? ([['Ended', `${ended_by.name}, ${formatDateTime(ended_at)}`]] as const) : []),
            ]}
          />
        </DetailSection>
      </DetailPanel>
      {dialog}
    </>
  );
}
