import '@mantine/core/styles.layer.css';
import { CloseButton, Drawer } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { drawerWidthPx } from '#contract/rules.ts';
import { useLive } from '../../api/live/use-live.ts';
import { balancesQuery } from '../../api/trading-queries.ts';
import { AnnouncementBanner } from '../../features/announcements/announcement-banner.tsx';
import { walletQuery } from '../../features/funds/queries.ts';
import { Logo } from '../../ui/frame/logo.tsx';
import { paths } from '../../ui/paths.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ChatButton } from './chat-button.tsx';
import { HaltBanner } from './halt-banner.tsx';
import { Header } from './header.tsx';
import { OpenedBanner } from './impersonation-banner.tsx';
import classes from './layout.module.css';
import { Navigation } from './navigation.tsx';
import { TradeAtAddress } from './trade-at-address.tsx';
import { useWholeMember } from './use-whole-member.ts';
import { WalletCards } from './wallet-cards.tsx';

/** Around every signed-in page: sidebar, header, bottom bar, wallet cards, trade dialog. */
export function Layout() {
  const { pathname } = useLocation();
  const narrow = useNarrow();
  const [isMenuOpen, setMenuOpen] = useState(false);
  useBalancesOfEachRoute(pathname);
  useLive();
  useWholeMember();

  // Whoever chose an entry wants to see its page, not the menu.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what closes it
  useEffect(() => setMenuOpen(false), [pathname]);

  return (
    <div className={classes.layout} data-chat={narrow || undefined}>
      <a className={classes.skip} href="#page">
        Skip to the page
      </a>
      <aside className={classes.sidebar}>
        <div className={classes.brand}>
          <Logo />
        </div>
        <Navigation />
      </aside>
      <div className={classes.main}>
        <OpenedBanner />
        <HaltBanner />
        <Header onMenu={() => setMenuOpen(true)} />
        <AnnouncementBanner />
        {narrow && pathname !== paths.fund && <WalletCards />}
        <main className={classes.page} id="page" tabIndex={-1}>
          <Suspense>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <BottomBar />
      {narrow && <ChatButton />}
      <Drawer.Root
        opened={isMenuOpen}
        onClose={() => setMenuOpen(false)}
        size={drawerWidthPx}
        classNames={{ content: classes.drawer }}
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label="Menu">
          <div className={classes.drawerHead}>
            <Logo />
            <CloseButton size="lg" aria-label="Close" onClick={() => setMenuOpen(false)} />
          </div>
          <Navigation inDrawer />
        </Drawer.Content>
      </Drawer.Root>
      <TradeAtAddress />
    </div>
  );
}

/** Balances are reloaded on each route change (the specification, point 4). */
function useBalancesOfEachRoute(pathname: string) {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what reloads them
  useEffect(() => {
    void client.invalidateQueries({ queryKey: balancesQuery.queryKey });
    void client.invalidateQueries({ queryKey: walletQuery.queryKey });
  }, [client, pathname]);
}
