import { IconChartCandle, IconChartPie, IconHome, IconUser, IconWallet } from '@tabler/icons-react';
import { Link, NavLink, useLocation } from 'react-router';
import { t } from '../../api/texts.ts';
import { paths, tradeSearch } from '../../ui/paths.ts';
import classes from './bottom-bar.module.css';

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
