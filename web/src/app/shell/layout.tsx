import '../../ui/frame/member.css';
import { Box } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { symbols } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { useLive } from '../../api/live/use-live.ts';
import { meQuery } from '../../api/me-query.ts';
import { changeMember } from '../../api/sign-in-state.ts';
import { changeLanguage, t } from '../../api/texts.ts';
import { balancesQuery } from '../../api/trading-queries.ts';
import { AnnouncementBanner, useHoldBack } from '../../features/announcements/announcements.tsx';
import { walletQuery } from '../../features/funds/queries.ts';
import { mailPreferencesQuery } from '../../features/notifications/queries.ts';
import { legalLinks } from '../../ui/frame/legal-links.ts';
import { Logo } from '../../ui/frame/logo.tsx';
import { Menu, MenuLink } from '../../ui/frame/menu.tsx';
import { Shell } from '../../ui/frame/shell.tsx';
import { paths } from '../../ui/paths.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { useWasOpened } from '../../ui/use-was-opened.ts';
import { page } from '../page.ts';
import { FrozenBanner, HaltBanner, IdentityStrip, OpenedBanner } from './banners.tsx';
import { HeaderItems, ProfileLink } from './header.tsx';
import classes from './layout.module.css';
import { menuOf } from './menu.ts';
import { BottomBar, ChatButton, WalletCards } from './mobile.tsx';

/** Around every signed-in page: sidebar, header, bottom bar, wallet cards, trade dialog. */
export function Layout() {
  const { pathname } = useLocation();
  const narrow = useNarrow();
  const isHeld = useHoldBack();
  useBalancesOfEachRoute(pathname);
  useLive();
  useMemberOfServer();
  useAccountLanguage();
  return (
    <Shell
      className={`${classes.layout} ${narrow ? classes.chat : ''}`}
      brand={<Logo />}
      menu={(inDrawer) => <MemberMenu inDrawer={inDrawer} />}
      header={<HeaderItems />}
      me={<ProfileLink />}
      banners={
        <>
          <OpenedBanner />
          <IdentityStrip />
          <FrozenBanner />
          <HaltBanner />
        </>
      }
      notices={
        <>
          <AnnouncementBanner />
          {narrow && !isHeld && pathname !== paths.fund && <WalletCards />}
        </>
      }
      isHeld={isHeld}
    >
      <BottomBar />
      {narrow && <ChatButton />}
      <TradeAtAddress />
    </Shell>
  );
}

const MemberMenu = ({ inDrawer }: { inDrawer: boolean }) => (
  <Menu
    label={t`Main`}
    groups={menuOf(inDrawer)}
    inDrawer={inDrawer}
    foot={<MenuLink label={t`Solvency`} to={paths.solvency} icon={IconScale} />}
  >
    <Box component="ul" className={classes.legal} px={10}>
      {legalLinks.map(({ label, to }) => (
        <li key={to}>
          <Link to={to}>{label}</Link>
        </li>
      ))}
    </Box>
  </Menu>
);

/** Balances are reloaded on each route change (the specification, point 4). */
function useBalancesOfEachRoute(pathname: string) {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what reloads them
  useEffect(() => {
    void client.invalidateQueries({ queryKey: balancesQuery.queryKey });
    void client.invalidateQueries({ queryKey: walletQuery.queryKey });
  }, [client, pathname]);
}

/** The stored member follows what was changed on another device. Until the server has sent it, it is shown as it is. */
function useMemberOfServer(): void {
  const { data } = useQuery(meQuery);
  const user = data?.user;
  useEffect(() => {
    if (user) changeMember(user);
  }, [user]);
}

/** On sign-in the browser takes over the account's language. */
function useAccountLanguage(): void {
  const isChoice = appInfo.languages.length > 1;
  const { data } = useQuery({ ...mailPreferencesQuery, enabled: isChoice });
  const chosen = isChoice ? data?.language : undefined;
  useEffect(() => {
    if (chosen !== undefined) changeLanguage(chosen);
  }, [chosen]);
}

const TradeDialog = page(async () => (await import('../../features/trading/trade-dialog.tsx')).TradeDialog);

const PARAMETER = 'trade';

/** The trade dialog, open while the address has `?trade`; `?trade=btc` chooses the asset. */
function TradeAtAddress() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const parameters = new URLSearchParams(search);
  const isOpen = parameters.has(PARAMETER);
  const asked = parameters.get(PARAMETER)?.toLowerCase() ?? '';
  const symbol = symbols.includes(asked) ? asked : undefined;
  const wasOpened = useWasOpened(isOpen);

  const close = () => {
    parameters.delete(PARAMETER);
    navigate({ pathname, search: parameters.toString() }, { replace: true });
  };

  if (!wasOpened) return null;
  return (
    <Suspense>
      <TradeDialog opened={isOpen} onClose={close} symbol={symbol} />
    </Suspense>
  );
}
