import { ActionIcon, Button } from '@mantine/core';
import { IconSpeakerphone, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Announcement } from '#contract/operator/announcements.ts';
import { useOpenedBy } from '../../api/sign-in-state.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import classes from './announcements.module.css';
import { isLong } from './is-long.ts';
import { announcementsQuery, useDismiss } from './queries.ts';

/** Over every page: the newest announcement that was not put away yet. The next one comes when it is. */
export function AnnouncementBanner() {
  const { data } = useQuery(announcementsQuery);
  const waiting = data?.items.filter(({ dismissed }) => !dismissed) ?? [];
  const [first] = waiting;
  if (first === undefined) return null;
  return <One key={first.id} announcement={first} others={waiting.length - 1} />;
}

function One({ announcement, others }: { announcement: Announcement; others: number }) {
  const { id, title, text } = announcement;
  const [isWhole, setWhole] = useState(false);
  const isRead = useOpenedBy() !== undefined;
  const dismiss = useDismiss();
  return (
    <section className={classes.place} aria-label="Announcement">
      <Banner
        icon={<IconSpeakerphone size={20} stroke={1.5} />}
        title={
          <>
            {title}
            {others > 0 && <span className={classes.others}>and {others} more</span>}
          </>
        }
        action={
          // Whoever only looks into the account changes nothing in it.
          !isRead && (
            <ActionIcon
              className={classes.dismiss ?? ''}
              aria-label={`Dismiss: ${title}`}
              onClick={() => dismiss.mutate(id)}
            >
              <IconX size={20} stroke={1.5} aria-hidden />
            </ActionIcon>
          )
        }
      >
        <p className={classes.text} data-cut={(isLong(text) && !isWhole) || undefined}>
          {text}
        </p>
        {isLong(text) && (
          <Button
            className={classes.whole ?? ''}
            size="sm"
            variant="subtle"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Show less' : 'Read all'}
          </Button>
        )}
      </Banner>
    </section>
  );
}
