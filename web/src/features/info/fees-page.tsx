import type { ReactNode } from 'react';
import { defaultSpreadBps, feeDefaults } from '#contract/rules.ts';
import { formatPercent } from '../../shared/format/percent.ts';
import { Money, Price, SignedMoney } from '../../shared/ui/money.tsx';
import classes from './info-article.module.css';
import { InfoArticle, InfoSection } from './info-article.tsx';
import { workExample } from './work-example.ts';

const AMOUNT = 250;
const OPEN_MARK = 68_000;
const examples = [
  { head: 'Up 2%', closeMark: 69_360 },
  { head: 'Unmoved', closeMark: 68_000 },
  { head: 'Down 2%', closeMark: 66_640 },
].map(({ head, closeMark }) => ({
  head,
  closeMark,
  ...workExample({ amount: AMOUNT, openMark: OPEN_MARK, closeMark }),
}));

/** Rates as they are said: 0.40%, 10%. */
const percentOf = (basisPoints: number) => formatPercent(basisPoints / 100).replace('.00%', '%');
const halfSpread = formatPercent(defaultSpreadBps / 200);

const fees = [
  ['Deposit', 'none', ''],
  ['Trade fee', `${percentOf(feeDefaults.tradeBps)} of the amount`, 'when the trade opens'],
  [
    'Performance fee',
    `${percentOf(feeDefaults.performanceBps)} of what comes back above the amount`,
    'when the trade settles',
  ],
  ['Spread', percentOf(defaultSpreadBps), `in the price: ${halfSpread} when buying, ${halfSpread} when selling`],
] as const;

type Example = (typeof examples)[number];

const lines: readonly { label: string; cell: (example: Example) => ReactNode; sum?: true }[] = [
  { label: 'Amount', cell: () => <Money value={AMOUNT} /> },
  { label: `Trade fee, ${percentOf(feeDefaults.tradeBps)}`, cell: ({ fee }) => <Money value={fee} /> },
  { label: 'Position', cell: ({ position }) => <Money value={position} /> },
  { label: 'Market price at opening', cell: () => <Price value={OPEN_MARK} symbol="btc" /> },
  { label: `You buy at ${halfSpread} more`, cell: ({ openPrice }) => <Price value={openPrice} symbol="btc" /> },
  { label: 'Market price at close', cell: ({ closeMark }) => <Price value={closeMark} symbol="btc" /> },
  { label: `You sell at ${halfSpread} less`, cell: ({ closePrice }) => <Price value={closePrice} symbol="btc" /> },
  { label: 'Proceeds', cell: ({ proceeds }) => <Money value={proceeds} /> },
  {
    label: `Performance fee, ${percentOf(feeDefaults.performanceBps)} of the gain over ${AMOUNT}`,
    cell: ({ performanceFee }) => <Money value={performanceFee} />,
  },
  { label: 'Your result', cell: ({ result }) => <SignedMoney value={result} />, sum: true },
];

export function FeesPage() {
  return (
    <InfoArticle title="Fees" facts="What trading costs, where it goes, and one trade worked through">
      <InfoSection title="What is taken">
        <p>
          These are all the fees there are. Nothing is taken for holding a balance, and nothing while a trade waits.
        </p>
        <div className={classes.scroll}>
          <table>
            <thead>
              <tr>
                <th scope="col">Fee</th>
                <th scope="col">How much</th>
                <th scope="col">When</th>
              </tr>
            </thead>
            <tbody>
              {fees.map(([fee, rate, when]) => (
                <tr key={fee}>
                  <th scope="row">{fee}</th>
                  <td>{rate}</td>
                  <td>{when}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </InfoSection>
      <InfoSection title={`An example: $${AMOUNT} on btc/usdt`}>
        <p>
          The same trade three times, with the price 2% higher at the close, unmoved, and 2% lower. The figures are made
          up to show the sums; they are no forecast.
        </p>
        <div className={classes.scroll}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <table tabIndex={0} aria-label="One trade with three closing prices">
            <thead>
              <tr>
                <td />
                {examples.map(({ head }) => (
                  <th key={head} scope="col" data-align="right">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map(({ label, cell, sum }) => (
                <tr key={label} data-sum={sum}>
                  <th scope="row">{label}</th>
                  {examples.map((example) => (
                    <td key={example.head} data-align="right">
                      {cell(example)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </InfoSection>
      <InfoSection title="Where the fees go">
        <p>
          The trade fee and the performance fee are each booked to an account of their own in the ledger, and stay
          there. The spread is no booking of its own: it is in the two prices, and stays at the trading venue.
        </p>
        <p>
          The ledger only takes movements that are on its list. There is no entry on it from members’ wallets or
          deposits to anybody’s income: an income can be paid only out of fees that were collected before. This version
          pays none.
        </p>
      </InfoSection>
    </InfoArticle>
  );
}
