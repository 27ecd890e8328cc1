import { Drawer, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Notification } from '#contract/notify.ts';
import { t, translate } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { useOpenedAfterMount } from '../../ui/forms/dialog.tsx';
import { Rows } from '../../ui/layout/panel.tsx';
import { LoadingRows, QueryFault, useLate } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import classes from './notifications-drawer.module.css';
import { notificationsQuery, useMarkRead } from './queries.ts';

type NotificationsDrawerProps = {
  opened: boolean;
  onClose: () => void;
  /** Announcements to everybody, above the member's own notifications. */
  before?: ReactNode;
};

/** Notifications, newest first, numbered, each with its date; unread ones have the accent tint. */
export function NotificationsDrawer({ opened, onClose, before }: NotificationsDrawerProps) {
  const isOpen = useOpenedAfterMount(opened);
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={400}
      classNames={{ content: classes.content }}
      data-closing={!opened || undefined}
    >
      <Drawer.Overlay />
      <Drawer.Content>{opened && <Notifications before={before} />}</Drawer.Content>
    </Drawer.Root>
  );
}

function Notifications({ before }: { before: ReactNode }) {
  // The drawer is opened to see what is new, so a cached response is never shown as current.
  const query = useInfiniteQuery({ ...notificationsQuery, refetchOnMount: 'always' });
  const markRead = useMarkRead();
  const late = useLate(query.isPending);
  const list = query.data && numberNotifications(query.data.pages);
  const unread = query.data?.pages[0]?.unread ?? 0;
  const newest = list?.[0];

  return (
    <>
      <Group
        flex="none"
        gap={8}
        mih={60}
        pl="var(--tw-pad)"
        pr={10}
        wrap="nowrap"
        style={{ borderBottom: '1px solid var(--tw-line)' }}
      >
        <Group gap={10} flex={1} miw={0}>
          <Drawer.Title>{t`Notifications`}</Drawer.Title>
          <span role="status">
            {unread > 0 && (
              <Text span c="var(--tw-accent)" fz="xs" fw={500}>
                {t`${unread} new`}
              </Text>
            )}
          </span>
        </Group>
        {newest !== undefined && unread > 0 && (
          <BusyButton
            variant="subtle"
            size="sm"
            busy={markRead.isPending}
            busyLabel={t`Marking`}
            onClick={() => markRead.mutate(newest.id)}
          >
            {t`Mark all as read`}
          </BusyButton>
        )}
        <Drawer.CloseButton iconSize={20} size={44} m={0} aria-label={t`Close`} />
      </Group>
      <Drawer.Body display="flex" flex={1} mih={0} p={0} style={{ flexDirection: 'column', overflowY: 'auto' }}>
        {before}
        <QueryFault query={query} />
        {list === undefined && late && (
          <Rows aria-busy="true" aria-label={t`Loading`}>
            <LoadingRows />
          </Rows>
        )}
        {list?.length === 0 && (
          <ListState icon={IconBell} title={t`No notifications yet`}>
            {t`Credited deposits, settled trades and sign-ins from new devices will appear here.`}
          </ListState>
        )}
        {list !== undefined && list.length > 0 && (
          <Rows>
            {list.map((item) => (
              <Line key={item.id} item={item} />
            ))}
          </Rows>
        )}
        {query.hasNextPage && (
          <Stack px={20} py="md">
            <BusyButton
              variant="default"
              busy={query.isFetchingNextPage}
              busyLabel={t`Loading`}
              onClick={() => query.fetchNextPage()}
            >
              {t`Earlier`}
            </BusyButton>
          </Stack>
        )}
      </Drawer.Body>
    </>
  );
}

function Line({ item }: { item: NumberedNotification }) {
  return (
    <li className={classes.line} data-unread={!item.read || undefined}>
      <span className={classes.number}>{item.number}</span>
      <p>
        {!item.read && <VisuallyHidden>{t`Unread:`} </VisuallyHidden>}
        {translate(item.message)}
      </p>
      <i aria-hidden="true" />
      <Text component="time" size="xs" c="dimmed" dateTime={item.createdAt} style={{ gridColumn: 2 }}>
        {formatDateTime(item.createdAt)}
      </Text>
    </li>
  );
}

type NumberedNotification = Notification & { number: number };

/**
 * The notifications of all loaded pages, newest first, numbered from 1 across pages. If a new one arrived between two
 * page loads, a line is repeated on the second page; it is numbered once.
 */
export function numberNotifications(pages: readonly { items: readonly Notification[] }[]): NumberedNotification[] {
  const byId = new Map(pages.flatMap((page) => page.items).map((item) => [item.id, item]));
  return [...byId.values()].map((item, index) => ({ ...item, number: index + 1 }));
}
