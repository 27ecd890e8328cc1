import { ActionIcon, Box, VisuallyHidden } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useMember } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { balancesQuery } from '../../api/trading-queries.ts';
import { AnnouncementList } from '../../features/announcements/announcements.tsx';
import { useUnreadCount } from '../../features/notifications/queries.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { Mark } from '../../ui/frame/logo.tsx';
import { HeaderRule, HeaderSession, MarketMode, Person } from '../../ui/frame/shell.tsx';
import { paths } from '../../ui/paths.ts';
import { CodeText } from '../../ui/text/text.tsx';
import { useWasOpened } from '../../ui/use-was-opened.ts';
import { page } from '../page.ts';
import classes from './header.module.css';

/** Session, mode, the two balances to 4 decimals, and the bell (the specification, point 2). */
export const HeaderItems = () => (
  <>
    {/* A phone has Home in its bottom bar, and needs the room for the mode. */}
    <Box component={Link} visibleFrom="sm" hiddenFrom="md" bdrs="xs" to={paths.dashboard} aria-label={t`Dashboard`}>
      <Mark />
    </Box>
    <HeaderSession />
    <MarketMode />
    <Balances />
    <HeaderRule />
    <NotificationBell />
  </>
);

/** A falsy value shows 0 (the specification, point 5), also while loading. */
function Balances() {
  const { data } = useQuery(balancesQuery);
  return (
    <dl className={classes.balances}>
      <div>
        <dt>{t`Fund`}</dt>
        <dd>{formatMoney(data?.primary_wallet || 0)}</dd>
      </div>
      <div>
        <dt>{t`Profit`}</dt>
        <dd>{formatMoney(data?.profit_wallet || 0)}</dd>
      </div>
    </dl>
  );
}

export function ProfileLink() {
  const member = useMember();
  return (
    <Link className={classes.me} to={paths.profile}>
      <VisuallyHidden>{t`Profile`}</VisuallyHidden>
      <Person name={member?.name} detail={<CodeText>{member?.referral_code ?? ''}</CodeText>} from="xl" />
    </Link>
  );
}

const NotificationsDrawer = page(
  async () => (await import('../../features/notifications/notifications-drawer.tsx')).NotificationsDrawer,
);

const MAX_SHOWN = 99;

function NotificationBell() {
  const unread = useUnreadCount() ?? 0;
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useWasOpened(isOpen);
  const { key } = useLocation();

  // Back leads elsewhere, and would leave the drawer above it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a navigation closes it
  useEffect(() => setOpen(false), [key]);

  return (
    <>
      <ActionIcon
        className={classes.bell ?? ''}
        size="lg"
        aria-label={unread > 0 ? t`Notifications, ${unread} unread` : t`Notifications`}
        onClick={() => setOpen(true)}
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
