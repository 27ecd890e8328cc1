import { Box, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import classes from './announcements.module.css';
import { announcementsQuery } from './queries.ts';

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
      <Stack component="ul" gap="sm" fz="sm" lh="19px">
        {data.items.map(({ id, title, text, from, to }) => (
          <li key={id}>
            <Text component="b" translate="no" inherit fw={600} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Text>
            <Text translate="no" inherit c="var(--tw-text-2)" className={classes.text}>
              {text}
            </Text>
            <Text size="xs" c="dimmed">
              <time dateTime={from}>{formatDateTime(from)}</time> – <time dateTime={to}>{formatDateTime(to)}</time>
            </Text>
          </li>
        ))}
      </Stack>
    </Box>
  );
}
