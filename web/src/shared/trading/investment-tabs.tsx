import { NavLink } from 'react-router';
import { paths } from '../paths.ts';
import classes from './investment-tabs.module.css';

const pages = [
  { to: paths.plans, label: 'Plans' },
  { to: paths.compoundingHistory, label: 'Compounding history' },
  { to: paths.backtest, label: 'Backtest' },
];

/** The pages that belong to investing: only the first of them is in the sidebar. */
export function InvestmentTabs() {
  return (
    <nav className={classes.tabs} aria-label="Investment">
      {pages.map(({ to, label }) => (
        <NavLink key={to} to={to} end>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
