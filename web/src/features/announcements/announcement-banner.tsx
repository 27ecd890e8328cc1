import { ActionIcon, Box, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSpeakerphone, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Announcement } from '#contract/operator/announcements.ts';
import { useOpenedBy } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import classes from './announcements.module.css';
import { announcementsQuery, useDismiss } from './queries.ts';

/** Over every page: the newest announcement that was not put away yet, in two lines until somebody opens it. */
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
  const textId = useId();
  const isRead = useOpenedBy() !== undefined;
  const dismiss = useDismiss();
  const Chevron = isWhole ? IconChevronUp : IconChevronDown;
  return (
    <Box
      component="section"
      aria-label={t`Announcement`}
      w="100%"
      maw={1240}
      mx="auto"
      px={{ base: 'md', sm: 'lg' }}
      pt={{ base: 'sm', sm: 'md' }}
    >
      <Banner
        icon={<IconSpeakerphone size={20} stroke={1.5} />}
        title={
          <UnstyledButton
            className={classes.title ?? ''}
            aria-expanded={isWhole}
            aria-controls={textId}
            onClick={() => setWhole(!isWhole)}
          >
            <span translate="no">{title}</span>
            {others > 0 && <small>{t`and ${others} more`}</small>}
            <Chevron size={16} stroke={1.5} aria-hidden />
          </UnstyledButton>
        }
        action={
          // Whoever only looks into the account changes nothing in it.
          !isRead && (
            <ActionIcon
              className={classes.dismiss ?? ''}
              aria-label={t`Dismiss: ${title}`}
              onClick={() => dismiss.mutate(id)}
            >
              <IconX size={20} stroke={1.5} aria-hidden />
            </ActionIcon>
          )
        }
      >
        <p id={textId} translate="no" className={classes.text} data-cut={!isWhole || undefined}>
          {text}
        </p>
      </Banner>
    </Box>
  );
}
