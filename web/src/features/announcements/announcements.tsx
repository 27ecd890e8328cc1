import { ActionIcon, Box, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSpeakerphone, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import type { Announcement } from '#contract/operator/announcements.ts';
import { useOpenedBy } from '../../api/sign-in-state.ts';
import { readStored, type StoredAnnouncement, writeStored } from '../../api/storage.ts';
import { t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import classes from './announcements.module.css';
import { announcementsQuery, useDismiss } from './queries.ts';

/**
 * Over every page: the newest announcement not dismissed yet, in two lines until expanded. Until the server has
 * responded it shows the last visit's one: a banner that appears later would push the page down while it is being read.
 */
export function AnnouncementBanner() {
  const { data } = useQuery(announcementsQuery);
  const shown = data === undefined ? findStored() : newestOf(data.items);
  useEffect(() => {
    if (data === undefined) return;
    writeStored('announcement', newestOf(data.items) ?? null);
  }, [data]);
  return shown === undefined ? null : <One key={shown.id} {...shown} />;
}

function newestOf(items: readonly Announcement[]): StoredAnnouncement | undefined {
  const [first, ...others] = items.filter(({ dismissed }) => !dismissed);
  if (first === undefined) return undefined;
  const { dismissed: _, ...announcement } = first;
  return { ...announcement, others: others.length };
}

function findStored(): StoredAnnouncement | undefined {
  const kept = readStored('announcement');
  return kept && Date.parse(kept.to) > Date.now() ? kept : undefined;
}

/** The longest that the first page in a browser is held back; the server usually responds sooner. */
const HOLD_MS = 400;

/**
 * Whether to hold back what is below the banner: on the first visit in a browser nothing says yet whether there is one,
 * and it would push the page down.
 */
export function useHoldBack(): boolean {
  const { isPending } = useQuery(announcementsQuery);
  const [isOver, setOver] = useState(() => readStored('announcement') !== undefined);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), HOLD_MS);
    return () => clearTimeout(timer);
  }, []);
  return isPending && !isOver;
}

function One({ id, title, text, others }: StoredAnnouncement) {
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
        icon={IconSpeakerphone}
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
          // Support access is read-only.
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

/** All current announcements, including dismissed ones; nothing while there is none. */
export function AnnouncementList() {
  const { data } = useQuery(announcementsQuery);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Box
      component="section"
      aria-label={t`Announcements`}
      flex="none"
      px={{ base: 'md', sm: 20 }}
      py={14}
      bg="var(--tw-surface-2)"
      style={{ borderBottom: '1px solid var(--tw-line-strong)' }}
    >
      <Text component="h3" size="xs" fw={500} c="dimmed" mb="xs">
        {t`Announcements`}
      </Text>
      <Stack component="ul" gap="sm" fz="sm" lh="1.1875rem">
        {data.items.map(({ id, title, text, from, to }) => (
          <li key={id}>
            <Text component="b" translate="no" inherit fw={600} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Text>
            <Text translate="no" inherit c="var(--tw-text-2)" className={classes.text}>
              {text}
            </Text>
            <Note>
              <time dateTime={from}>{formatDateTime(from)}</time> – <time dateTime={to}>{formatDateTime(to)}</time>
            </Note>
          </li>
        ))}
      </Stack>
    </Box>
  );
}
