import { IconArrowsSort, IconChartCandle, IconChevronRight, IconDownload, IconHistory } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths, tradeSearch } from '../../shared/paths.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import classes from './assets-page.module.css';

const shortcuts = [
  { to: paths.deposit, label: 'Deposit', Icon: IconDownload },
  { to: paths.depositHistory, label: 'Deposit history', Icon: IconHistory },
  { to: paths.transactionHistory, label: 'Transaction history', Icon: IconArrowsSort },
  { to: tradeSearch(), label: 'Trade', Icon: IconChartCandle },
];

/** What can be done with the money from here. */
export function AssetsShortcuts() {
  return (
    <Panel title="Go to" padded={false}>
      <ul className={classes.shortcuts}>
        {shortcuts.map(({ to, label, Icon }) => (
          <li key={label}>
            <Link to={to}>
              <Icon size={20} stroke={1.5} aria-hidden />
              <span>{label}</span>
              <IconChevronRight size={16} stroke={1.5} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
