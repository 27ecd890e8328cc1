import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../api/texts.ts';
import { AnnouncementList } from '../../features/announcements/announcement-list.tsx';
import { useUnreadCount } from '../../features/notifications/queries.ts';
import classes from './notification-bell.module.css';

const NotificationsDrawer = lazy(() =>
  import('../../features/notifications/notifications-drawer.tsx').then((module) => ({
    default: module.NotificationsDrawer,
  })),
);

const MAX_SHOWN = 99;

export function NotificationBell() {
  const unread = useUnreadCount() ?? 0;
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);

  const open = () => {
    setWasOpened(true);
    setOpen(true);
  };

  return (
    <>
      <ActionIcon
        className={classes.bell ?? ''}
        size="lg"
        aria-label={unread > 0 ? t`Notifications, ${unread} unread` : t`Notifications`}
        onClick={open}
      >
        <IconBell size={20} stroke={1.5} aria-hidden />
        {unread > 0 && (
          <span className={classes.count} aria-hidden="true">
            {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
          </span>
        )}
      </ActionIcon>
      {wasOpened && (
        <Suspense>
          <NotificationsDrawer opened={isOpen} onClose={() => setOpen(false)} before={<AnnouncementList />} />
        </Suspense>
      )}
    </>
  );
}
