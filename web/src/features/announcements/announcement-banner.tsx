import { ActionIcon, Box, Button, Text } from '@mantine/core';
import { IconSpeakerphone, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Announcement } from '#contract/operator/announcements.ts';
import { useOpenedBy } from '../../api/sign-in-state.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import classes from './announcements.module.css';
import { announcementsQuery, useDismiss } from './queries.ts';

const MOST_LINES = 3;
const MOST_CHARACTERS = 240;

/** Whether a text would push the page too far down, so that only its beginning is shown first. */
const isLong = (text: string) => text.length > MOST_CHARACTERS || text.split('\n').length > MOST_LINES;

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
    <Box
      component="section"
      aria-label="Announcement"
      w="100%"
      maw={1240}
      mx="auto"
      px={{ base: 'md', sm: 'lg' }}
      pt={{ base: 'sm', sm: 'md' }}
    >
      <Banner
        icon={<IconSpeakerphone size={20} stroke={1.5} />}
        title={
          <>
            {title}
            {others > 0 && (
              <Text span inherit fw={400} c="dimmed" ml="xs">
                and {others} more
              </Text>
            )}
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
          <Button mt={4} ml={-12} size="sm" variant="subtle" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : 'Read all'}
          </Button>
        )}
      </Banner>
    </Box>
  );
}
