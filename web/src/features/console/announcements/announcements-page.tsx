import { Button } from '@mantine/core';
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react';
import { useState } from 'react';
import type { DeskAnnouncement } from '#contract/operator/announcements.ts';
import { formatShortDateTime } from '../../../ui/format/time.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { ListPage } from '../kit/list-page.tsx';
import { useList } from '../kit/use-list.ts';
import { AnnouncementDetail } from './announcement-detail.tsx';
import classes from './announcements-page.module.css';
import { stateWords } from './labels.ts';
import { readAnnouncements } from './queries.ts';
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
        <small className={classes.line}>{row.text}</small>
      </>
    ),
  },
  { key: 'by', label: 'By', width: '140px', from: 'wide', render: (row) => row.written_by.name },
  {
    key: 'state',
    label: 'State',
    width: '104px',
    render: (row) => (
      <StateBadge of="announcement" state={row.state}>
        {stateWords[row.state]}
      </StateBadge>
    ),
  },
];
