import { Drawer, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Rows } from '../../ui/frame/rows.tsx';
import { LoadingRows, StaleLine, TableError, useLate } from '../../ui/table/data-table-states.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { useOpenedAfterMount } from '../../ui/use-opened-after-mount.ts';
import classes from './notifications-drawer.module.css';
import { type NumberedNotification, numberNotifications } from './number-notifications.ts';
import { notificationsQuery, useMarkRead } from './queries.ts';

type NotificationsDrawerProps = {
  opened: boolean;
  onClose: () => void;
  /** What everybody is told, above what this member is. */
  before?: ReactNode;
};

/** What happened, newest first, numbered, each with its date; the unread ones stand on the accent's tint. */
export function NotificationsDrawer({ opened, onClose, before }: NotificationsDrawerProps) {
  const isOpen = useOpenedAfterMount(opened);
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={400}
      classNames={{ content: classes.content }}
    >
      <Drawer.Overlay />
      <Drawer.Content>{opened && <Notifications before={before} />}</Drawer.Content>
    </Drawer.Root>
  );
}

function Notifications({ before }: { before: ReactNode }) {
  // The drawer is opened to see what is new, so an answer from before is never taken for now.
  const query = useInfiniteQuery({ ...notificationsQuery, refetchOnMount: 'always' });
  const markRead = useMarkRead();
  const late = useLate(query.isPending);
  const list = query.data && numberNotifications(query.data.pages);
  const unread = query.data?.pages[0]?.unread ?? 0;
  const newest = list?.[0];

  return (
    <>
      <div className={classes.head}>
        <Group gap={10} flex={1} miw={0}>
          <Drawer.Title>Notifications</Drawer.Title>
          <span role="status">{unread > 0 && <span className={classes.count}>{unread} new</span>}</span>
        </Group>
        {newest !== undefined && unread > 0 && (
          <BusyButton
            variant="subtle"
            size="sm"
            busy={markRead.isPending}
            busyLabel="Marking"
            onClick={() => markRead.mutate(newest.id)}
          >
            Mark all as read
          </BusyButton>
        )}
        <Drawer.CloseButton iconSize={20} aria-label="Close" className={classes.close} />
      </div>
      <Drawer.Body className={classes.body}>
        {before}
        {list === undefined && query.isError && <TableError query={query} />}
        {list !== undefined && query.isError && <StaleLine query={query} />}
        {list === undefined && late && (
          <Rows aria-busy="true" aria-label="Loading">
            <LoadingRows />
          </Rows>
        )}
        {list?.length === 0 && (
          <ListState icon={<IconBell size={20} stroke={1.5} />} title="No notifications yet">
            Deposits credited, trades settled and sign-ins from a new device are told here.
          </ListState>
        )}
        {list !== undefined && list.length > 0 && (
          <ol className={classes.list}>
            {list.map((item) => (
              <Line key={item.id} item={item} />
            ))}
          </ol>
        )}
        {query.hasNextPage && (
          <Stack px={20} py="md">
            <BusyButton
              variant="default"
              busy={query.isFetchingNextPage}
              busyLabel="Loading"
              onClick={() => query.fetchNextPage()}
            >
              Earlier
            </BusyButton>
          </Stack>
        )}
      </Drawer.Body>
    </>
  );
}

function Line({ item }: { item: NumberedNotification }) {
  return (
    <li data-unread={!item.read || undefined}>
      <span className={classes.number}>{item.number}</span>
      <p>
        {!item.read && <VisuallyHidden>Unread: </VisuallyHidden>}
        {item.message}
      </p>
      <i className={classes.mark} aria-hidden="true" />
      <Text component="time" size="xs" c="dimmed" dateTime={item.createdAt} style={{ gridColumn: 2 }}>
        {formatDateTime(item.createdAt)}
      </Text>
    </li>
  );
}
