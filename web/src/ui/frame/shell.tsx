import { ActionIcon, Box, CloseButton, Drawer, Group, Text } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { type ReactNode, type Ref, Suspense, useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { drawerWidthPx } from '#contract/rules.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { t } from '../../api/texts.ts';
import { PageNews } from '../page-news.tsx';
import { Avatar } from '../text/avatar.tsx';
import { ModeLabel } from './mode-label.tsx';
import { SessionState } from './session-state.tsx';
import classes from './shell.module.css';

type ShellProps = {
  brand: ReactNode;
  /** The menu and its foot; the drawer of a narrow screen may have other entries. */
  menu: (inDrawer: boolean) => ReactNode;
  /** In the header, between the menu button and the account menu. */
  header: ReactNode;
  me: ReactNode;
  /** Above the header, and between header and page. */
  banners?: ReactNode;
  notices?: ReactNode;
  /** Hides the page until what belongs above it is known. */
  isHeld?: boolean;
  /** At the foot of a mobile screen, and dialogs. */
  children?: ReactNode;
  className?: string | undefined;
  page?: Ref<HTMLElement>;
};

/** The frame of every signed-in page: menu, header, and the page. */
export function Shell(props: ShellProps) {
  const { brand, menu, header, me, banners, notices, isHeld = false, children, className, page } = props;
  const { pathname } = useLocation();
  const [isMenuOpen, setMenuOpen] = useState(false);

  // Choosing an entry closes the menu to show its page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what closes it
  useEffect(() => setMenuOpen(false), [pathname]);

  return (
    <div className={`${classes.layout} ${className ?? ''}`}>
      <PageNews />
      <a className={classes.skip} href="#page">
        {t`Skip to content`}
      </a>
      <aside className={classes.sidebar}>
        <Brand>{brand}</Brand>
        {menu(false)}
      </aside>
      <div className={classes.main}>
        {banners}
        <header className={classes.header}>
          <ActionIcon hiddenFrom="md" size="lg" aria-label={t`Open menu`} onClick={() => setMenuOpen(true)}>
            <IconMenu2 size={20} stroke={1.5} aria-hidden />
          </ActionIcon>
          {header}
          {me}
        </header>
        {notices}
        <main className={classes.page} data-held={isHeld || undefined} id="page" tabIndex={-1} ref={page}>
          <Suspense>
            <Outlet />
          </Suspense>
        </main>
      </div>
      {children}
      <Drawer.Root
        opened={isMenuOpen}
        onClose={() => setMenuOpen(false)}
        size={drawerWidthPx}
        classNames={{ content: classes.drawer }}
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label={t`Menu`}>
          <Brand>
            {brand}
            <CloseButton size="lg" mr={-12} aria-label={t`Close`} onClick={() => setMenuOpen(false)} />
          </Brand>
          {menu(true)}
        </Drawer.Content>
      </Drawer.Root>
    </div>
  );
}

const Brand = ({ children }: { children: ReactNode }) => (
  <Group flex="none" h="var(--tw-header)" px={20} gap="sm" justify="space-between" wrap="nowrap">
    {children}
  </Group>
);

/** The current market, in one line or, where the header has no room, in two; with live prices, the mode. */
export function MarketMode() {
  const { session, now } = useMarketClock();
  if (!session) return null;
  const mode = { feed: session.feed, ...(now && { at: now }) };
  return (
    <>
      <Box flex="none" visibleFrom="lg" data-mode>
        <ModeLabel {...mode} />
      </Box>
      <Box flex={{ base: undefined, sm: 'none' }} miw={0} hiddenFrom="lg" data-mode>
        <ModeLabel {...mode} compact />
      </Box>
    </>
  );
}

/** Without room for it, the countdown is left out. */
export const HeaderSession = () => (
  <Box flex="0 99 auto" visibleFrom="sm">
    <SessionState named />
  </Box>
);

export const HeaderRule = () => <Box component="span" flex="none" w={1} h={28} bg="var(--tw-line)" visibleFrom="sm" />;

/** The signed-in person: initials and, from width `from` on, a name with a line below it. */
export function Person({ name, detail, from }: { name: string | undefined; detail: ReactNode; from: 'sm' | 'xl' }) {
  return (
    <>
      <Avatar name={name ?? ''} size={32} />
      {name !== undefined && (
        <Box component="span" maw={160} ta="left" visibleFrom={from}>
          <Text component="b" display="block" inherit fw={500} lh="1.125rem" truncate>
            {name}
          </Text>
          <Text component="small" display="block" fz="xs" lh="1rem" c="dimmed" truncate>
            {detail}
          </Text>
        </Box>
      )}
    </>
  );
}
