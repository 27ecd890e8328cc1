import { Group, Paper, Text } from '@mantine/core';
import { IconChartCandle, IconChartPie, IconHome, IconMessage, IconUser, IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, NavLink, useLocation } from 'react-router';
import { walletTypes } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { walletQuery } from '../../features/funds/queries.ts';
import { unreadTicketsQuery } from '../../features/tickets/queries.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { paths, tradeSearch } from '../../ui/paths.ts';
import { Money } from '../../ui/text/money.tsx';
import classes from './mobile.module.css';

const before = [
  { label: t`Home`, to: paths.dashboard, icon: IconHome },
  { label: t`Assets`, to: paths.fund, icon: IconWallet },
] as const;

const after = [
  { label: t`Portfolio`, to: paths.portfolio, icon: IconChartPie },
  { label: t`Profile`, to: paths.profile, icon: IconUser },
] as const;

/** The bottom bar of a mobile screen; *Trades* opens the trade dialog over the current page. */
export function BottomBar() {
  const { pathname, search } = useLocation();
  // Filters and open rows in the page's address are preserved.
  const trade = search === '' ? tradeSearch() : `${search}&trade`;
  return (
    <nav className={classes.bar} aria-label={t`Quick`}>
      {before.map((entry) => (
        <Entry key={entry.to} {...entry} />
      ))}
      <Link className={classes.trade} to={{ pathname, search: trade }} aria-haspopup="dialog">
        <span className={classes.pill}>
          <IconChartCandle size={22} stroke={1.5} aria-hidden />
        </span>
        {t`Trades`}
      </Link>
      {after.map((entry) => (
        <Entry key={entry.to} {...entry} />
      ))}
    </nav>
  );
}

function Entry({ label, to, icon: EntryIcon }: (typeof before | typeof after)[number]) {
  return (
    <NavLink to={to} end>
      <EntryIcon size={22} stroke={1.5} aria-hidden />
      {label}
    </NavLink>
  );
}

/** Floats above the bottom bar of a mobile screen and leads to the queries (the specification, point 2). */
export function ChatButton() {
  const { data: unread = 0 } = useQuery(unreadTicketsQuery);
  return (
    <nav className={classes.place} aria-label={t`Support`}>
      <Link className={classes.button} to={paths.query} aria-label={unread > 0 ? t`Query, ${unread} unread` : t`Query`}>
        <IconMessage size={22} stroke={1.5} aria-hidden />
        {unread > 0 && <span className={classes.pip} />}
      </Link>
    </nav>
  );
}

/** The two wallets above each page of a mobile screen, except on `/fund` (the specification, point 2). */
export function WalletCards() {
  const { data } = useQuery(walletQuery);
  return (
    <Group component="section" aria-label={t`Wallets`} align="stretch" gap="xs" px="md" pt="xs">
      {walletTypes.map((wallet) => (
        <Paper key={wallet} px={12} py={6} flex="1 0 0" fz="xs" lh="1rem" c="dimmed">
          {walletNames[wallet]}
          <Text fz="md" fw={600} lh="1.25rem" c="var(--tw-text)">
            <Money value={data?.[wallet].balance} />
          </Text>
          <div>{t`Placed ${formatMoney(data?.[wallet].in_trade, 'typed')}`}</div>
        </Paper>
      ))}
    </Group>
  );
}
