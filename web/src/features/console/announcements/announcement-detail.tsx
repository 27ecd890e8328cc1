import type { DeskAnnouncement } from '#contract/operator/announcements.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { DetailNotice, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { useDecisions } from '../kit/use-decisions.tsx';
import classes from './announcements-page.module.css';
import { endWords, stateWords } from './labels.ts';
import { useEndAnnouncement } from './queries.ts';

/** One announcement as members read it, with who wrote it and who ended it. */
export function AnnouncementDetail({ announcement, onClose }: { announcement: DeskAnnouncement; onClose: () => void }) {
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
        badge={
          <StateBadge of="announcement" state={state}>
            {stateWords[state]}
          </StateBadge>
        }
        onClose={onClose}
        foot={buttons.length > 0 && buttons}
      >
        {changed && (
          <DetailNotice>
            <Banner tone="amber">{changed}</Banner>
          </DetailNotice>
        )}
        <DetailSection title={title}>
          <p className={classes.text}>{text}</p>
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
