import { IconChartCandle, IconScale, IconUsers } from '@tabler/icons-react';
import { feeDefaults } from '#contract/rules.ts';
import { formatPercent } from '../../shared/format/percent.ts';
import classes from './cost-pane.module.css';

const costs = [
  ['Account, deposits', 'No fee'],
  ['Trade fee', `${formatPercent(feeDefaults.tradeBps / 100)} of the amount, when a trade opens`],
  ['Performance fee', `${feeDefaults.performanceBps / 100}% of a gain; nothing on a loss`],
] as const;

const facts = [
  [
    IconChartCandle,
    'Trades settle at the market price',
    'The result is a gain or a loss. You can lose what you put into a trade, never more.',
  ],
  [
    IconUsers,
    'Team income is a share of fees',
    'It is paid only from trading fees that were collected before. No fees, no income.',
  ],
  [
    IconScale,
    'Every dollar is booked twice',
    'Each movement has an account it came from and one it went to, and you see all of yours.',
  ],
] as const;

/** What an account costs, beside the sign-up form. */
export function CostPane() {
  return (
    <>
      <h2 className={classes.title}>What it costs</h2>
      <dl className={classes.costs}>
        {costs.map(([what, cost]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{cost}</dd>
          </div>
        ))}
      </dl>
      <ul className={classes.facts}>
        {facts.map(([Icon, title, text]) => (
          <li key={title}>
            <span className={classes.icon}>
              <Icon size={20} stroke={1.5} aria-hidden />
            </span>
            <div>
              <b>{title}</b>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
