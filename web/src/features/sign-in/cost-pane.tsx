import { IconChartCandle, IconScale, IconUsers } from '@tabler/icons-react';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { percentWords } from '../../entities/income/fee-lines.ts';
import { useCurrentTerms } from '../../entities/income/fee-terms.ts';
import classes from './cost-pane.module.css';

const costsUnder = (terms: FeePlanTerms | undefined) =>
  [
    ['Account, deposits', 'No fee'],
    ['Trade fee', terms ? `${percentWords(terms.trade_fee_bps)} of the amount, when a trade opens` : '–'],
    ['Performance fee', terms ? `${percentWords(terms.performance_fee_bps)} of a gain; nothing on a loss` : '–'],
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
  const costs = costsUnder(useCurrentTerms());
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
