import {
  IconArrowsSort,
  IconChevronRight,
  IconDownload,
  IconFileText,
  IconHistory,
  IconRepeat,
  IconRotateClockwise,
  IconRotateClockwise2,
  IconUpload,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import classes from './assets-page.module.css';

/** Every page of Fund Management, also those that the sidebar of a wide screen does not list. */
const shortcuts = [
  { to: paths.deposit, label: 'Deposit', Icon: IconDownload },
  { to: paths.depositHistory, label: 'Deposit history', Icon: IconRotateClockwise },
  { to: paths.withdrawal, label: 'Withdrawal', Icon: IconUpload },
  { to: paths.withdrawalHistory, label: 'Withdrawal history', Icon: IconRotateClockwise2 },
  { to: paths.transactionHistory, label: 'Transaction history', Icon: IconArrowsSort },
  { to: paths.statement, label: 'Statement to print', Icon: IconFileText },
  { to: paths.plans, label: 'Investments', Icon: IconRepeat },
  { to: paths.compoundingHistory, label: 'Compounding investment history', Icon: IconHistory },
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
