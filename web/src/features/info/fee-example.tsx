import type { ReactNode } from 'react';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { riskSentence } from '#contract/rules.ts';
import { withdrawalWords } from '../../entities/income/fee-changes.ts';
import { percentWords, rateLabel } from '../../entities/income/fee-lines.ts';
import { halfSpreadWords, type Spread } from '../../entities/income/spreads.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { Money, Price, SignedMoney } from '../../ui/text/money.tsx';
import { FeeTable, InfoSection } from './info-article.tsx';
import { type WorkedExample, workExample, workWithdrawal } from './work-example.ts';

const AMOUNT = 250;
const OPEN_MARK = 68_000;
const CLOSES = [
  { head: 'Up 2%', closeMark: 69_360 },
  { head: 'Unmoved', closeMark: 68_000 },
  { head: 'Down 2%', closeMark: 66_640 },
] as const;

/** The asset of the example; the spread is its own. */
export const EXAMPLE_SYMBOL = 'btc';

/** What an example is worked through with. */
export type ExampleRates = { readonly terms: FeePlanTerms; readonly spreadBps: number };

/** The one that gains: only a gain pays both fees. */
export const workGain = ({ terms, spreadBps }: ExampleRates): WorkedExample =>
  workExample({ amount: AMOUNT, openMark: OPEN_MARK, closeMark: CLOSES[0].closeMark, spreadBps }, terms);

export function TakenFees({ terms, spreads }: { terms: FeePlanTerms; spreads: readonly Spread[] }) {
  return (
    <InfoSection title="What is taken">
      <p>These are all the fees there are. Nothing is taken for holding a balance, and nothing while a trade waits.</p>
      <FeeTable
        label="Fees"
        heads={['Fee', 'How much', 'When']}
        rows={[
          { cells: ['Deposit', 'none', ''] },
          { cells: ['Trade fee', `${percentWords(terms.trade_fee_bps)} of the amount`, 'when the trade opens'] },
          {
            cells: [
              'Performance fee',
              `${percentWords(terms.performance_fee_bps)} of what comes back above the amount`,
              'when the trade settles',
            ],
          },
          { cells: ['Withdrawal fee', withdrawalWords(terms), 'when the withdrawal is completed'] },
          { cells: ['Spread', spreadRange(spreads), 'in the price: half when buying, half when selling'] },
        ]}
      />
    </InfoSection>
  );
}

export function TradeExample({ terms, spreadBps }: ExampleRates) {
  const halfSpread = halfSpreadWords(spreadBps);
  const examples = CLOSES.map(({ closeMark }) => ({
    closeMark,
    ...workExample({ amount: AMOUNT, openMark: OPEN_MARK, closeMark, spreadBps }, terms),
  }));
  type Example = (typeof examples)[number];
  const line = (label: string, cell: (example: Example) => ReactNode, isSum = false) => ({
    cells: [label, ...examples.map(cell)] as const,
    isSum,
  });
  return (
    <InfoSection title={`An example: $${AMOUNT} on ${pairOf(EXAMPLE_SYMBOL)}`}>
      <p>
        The same trade three times, with the price 2% higher at the close, unmoved, and 2% lower. The figures are made
        up to show the sums; they are no forecast. {riskSentence}
      </p>
      <FeeTable
        label="One trade with three closing prices"
        heads={['', ...CLOSES.map(({ head }) => head)]}
        figuresFrom={1}
        rows={[
          line('Amount', () => <Money value={AMOUNT} />),
          line(rateLabel('Trade fee', terms.trade_fee_bps), ({ fee }) => <Money value={fee} />),
          line('Position', ({ position }) => <Money value={position} />),
          line('Market price at opening', () => <Price value={OPEN_MARK} symbol={EXAMPLE_SYMBOL} />),
          line(`You buy at ${halfSpread} more`, ({ openPrice }) => <Price value={openPrice} symbol={EXAMPLE_SYMBOL} />),
          line('Market price at close', ({ closeMark }) => <Price value={closeMark} symbol={EXAMPLE_SYMBOL} />),
          line(`You sell at ${halfSpread} less`, ({ closePrice }) => (
            <Price value={closePrice} symbol={EXAMPLE_SYMBOL} />
          )),
          line('Proceeds', ({ proceeds }) => <Money value={proceeds} />),
          line(
            `${rateLabel('Performance fee', terms.performance_fee_bps)} of the gain over ${AMOUNT}`,
            ({ performanceFee }) => <Money value={performanceFee} />,
          ),
          line('Your result', ({ result }) => <SignedMoney value={result} />, true),
        ]}
      />
    </InfoSection>
  );
}

const WITHDRAWALS = [20, 100, 1000];

export function WithdrawalExamples({ terms }: { terms: FeePlanTerms }) {
  return (
    <InfoSection title="What arrives of a withdrawal">
      <p>
        The fee is fixed when you ask, taken out of the amount when the money has left, and not taken at all when the
        withdrawal is cancelled, rejected or fails.
      </p>
      <FeeTable
        label="Withdrawals"
        heads={['Taken from your wallet', 'Fee', 'Arrives']}
        figuresFrom={1}
        rows={WITHDRAWALS.map((amount) => {
          const { fee, arrives } = workWithdrawal(amount, terms);
          return {
            cells: [
              <Money key="amount" value={amount} decimals="typed" />,
              <Money key="fee" value={fee} decimals="typed" />,
              <Money key="arrives" value={arrives} decimals="typed" />,
            ],
          };
        })}
      />
    </InfoSection>
  );
}

/** The spread of every asset, and what the next session brings. */
export function SpreadList({ spreads }: { spreads: readonly Spread[] }) {
  const isChanging = spreads.some(({ next_bps }) => next_bps !== null);
  return (
    <InfoSection title="Spreads">
      <p>
        Half of it is above the market price when you buy, half below it when you sell. A session keeps its spreads from
        its opening to its close, and every trade opens and closes within one session.
      </p>
      <FeeTable
        label="Spread of each asset"
        heads={['Asset', 'Spread', ...(isChanging ? ['From the next session'] : [])]}
        figuresFrom={1}
        rows={spreads.map(({ symbol, spread_bps: bps, next_bps: next }) => ({
          cells: [pairOf(symbol), percentWords(bps), ...(isChanging ? [next === null ? '' : percentWords(next)] : [])],
        }))}
      />
    </InfoSection>
  );
}

/** `0.10%`, or from the least to the most: `0.10% to 0.30%`. */
function spreadRange(spreads: readonly Spread[]): string {
  const all = spreads.map(({ spread_bps }) => spread_bps);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return least === most ? percentWords(least) : `${percentWords(least)} to ${percentWords(most)}`;
}
