import type { ReactNode } from 'react';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { riskSentence } from '#contract/rules.ts';
import { t, translate } from '../../api/texts.ts';
import { withdrawalFeeText } from '../../entities/income/fee-changes.ts';
import { formatBps, hasExchangeFee, rateLabel } from '../../entities/income/fees.ts';
import { formatHalfSpread, type Spread } from '../../entities/income/spreads.ts';
import { pairOf } from '../../entities/trade/labels.ts';
import { Money, Price, SignedMoney } from '../../ui/text/money.tsx';
import { FeeTable, InfoSection } from './info-article.tsx';
import { type WorkedExample, workExample, workWithdrawal } from './work-example.ts';

const AMOUNT = 250;
const OPEN_MARK = 68_000;
const CLOSES = [
  { head: t`Up 2%`, closeMark: 69_360 },
  { head: t`Unchanged`, closeMark: 68_000 },
  { head: t`Down 2%`, closeMark: 66_640 },
] as const;

export const EXAMPLE_SYMBOL = 'btc';

export type ExampleRates = { readonly terms: FeePlanTerms; readonly spreadBps: number };

/** The example with a gain: only a gain pays both fees. */
export const workGain = ({ terms, spreadBps }: ExampleRates): WorkedExample =>
  workExample({ amount: AMOUNT, openMark: OPEN_MARK, closeMark: CLOSES[0].closeMark, spreadBps }, terms);

export function TakenFees({ terms, spreads }: { terms: FeePlanTerms; spreads: readonly Spread[] }) {
  return (
    <InfoSection title={t`Fees`}>
      <p>{t`These are all fees. Holding a balance and queued trades are free.`}</p>
      <FeeTable
        label={t`Fees`}
        heads={[t`Fee`, t`Rate`, t`When`]}
        rows={[
          { cells: [t`Deposit`, t`none`, ''] },
          { cells: [t`Trade fee`, t`${formatBps(terms.trade_fee_bps)} of the amount`, t`when the trade opens`] },
          {
            cells: [
              t`Performance fee`,
              t`${formatBps(terms.performance_fee_bps)} of the gain above the amount`,
              t`when the trade settles`,
            ],
          },
          { cells: [t`Withdrawal fee`, withdrawalFeeText(terms), t`when the withdrawal is completed`] },
          { cells: [t`Spread`, spreadRange(spreads), t`included in the price: half when buying, half when selling`] },
          ...(hasExchangeFee()
            ? [
                {
                  cells: [
                    t`Exchange fee`,
                    t`what the exchange takes`,
                    t`included in the price; the page of a trade shows it`,
                  ] as const,
                },
              ]
            : []),
        ]}
      />
    </InfoSection>
  );
}

export function TradeExample({ terms, spreadBps }: ExampleRates) {
  const halfSpread = formatHalfSpread(spreadBps);
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
    <InfoSection title={t`An example: $${AMOUNT} on ${pairOf(EXAMPLE_SYMBOL)}`}>
      <p>{t`The same trade at three closing prices: 2% higher, unchanged and 2% lower. The figures are illustrations, not a forecast. ${translate(riskSentence)}`}</p>
      {hasExchangeFee() && <p>{t`Both prices exclude the exchange’s fee.`}</p>}
      <FeeTable
        label={t`One trade at three closing prices`}
        heads={['', ...CLOSES.map(({ head }) => head)]}
        figuresFrom={1}
        rows={[
          line(t`Amount`, () => <Money value={AMOUNT} />),
          line(rateLabel(t`Trade fee`, terms.trade_fee_bps), ({ fee }) => <Money value={fee} />),
          line(t`Position`, ({ position }) => <Money value={position} />),
          line(t`Market price at opening`, () => <Price value={OPEN_MARK} symbol={EXAMPLE_SYMBOL} />),
          line(t`You buy at ${halfSpread} more`, ({ openPrice }) => (
            <Price value={openPrice} symbol={EXAMPLE_SYMBOL} />
          )),
          line(t`Market price at close`, ({ closeMark }) => <Price value={closeMark} symbol={EXAMPLE_SYMBOL} />),
          line(t`You sell at ${halfSpread} less`, ({ closePrice }) => (
            <Price value={closePrice} symbol={EXAMPLE_SYMBOL} />
          )),
          line(t`Proceeds`, ({ proceeds }) => <Money value={proceeds} />),
          line(
            t`Performance fee, ${formatBps(terms.performance_fee_bps)} of the gain above ${AMOUNT}`,
            ({ performanceFee }) => <Money value={performanceFee} />,
          ),
          line(t`Your P&L`, ({ result }) => <SignedMoney value={result} />, true),
        ]}
      />
    </InfoSection>
  );
}

const WITHDRAWALS = [20, 100, 1000];

export function WithdrawalExamples({ terms }: { terms: FeePlanTerms }) {
  return (
    <InfoSection title={t`Withdrawal examples`}>
      <p>{t`The fee is fixed when you request the withdrawal and deducted from the amount when it is paid. Cancelled, rejected and failed withdrawals are free.`}</p>
      <FeeTable
        label={t`Withdrawals`}
        heads={[t`Amount`, t`Fee`, t`You receive`]}
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

export function SpreadList({ spreads }: { spreads: readonly Spread[] }) {
  const isChanging = spreads.some(({ next_bps }) => next_bps !== null);
  return (
    <InfoSection title={t`Spreads`}>
      <p>{t`You buy at half the spread above the market price and sell at half the spread below it. Spreads do not change during a session.`}</p>
      <FeeTable
        label={t`Spread of each asset`}
        heads={[t`Asset`, t`Spread`, ...(isChanging ? [t`From the next session`] : [])]}
        figuresFrom={1}
        rows={spreads.map(({ symbol, spread_bps: bps, next_bps: next }) => ({
          cells: [pairOf(symbol), formatBps(bps), ...(isChanging ? [next === null ? '' : formatBps(next)] : [])],
        }))}
      />
    </InfoSection>
  );
}

/** `0.10%`, or a range: `0.10% to 0.30%`. */
function spreadRange(spreads: readonly Spread[]): string {
  const all = spreads.map(({ spread_bps }) => spread_bps);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return least === most ? formatBps(least) : `${formatBps(least)} to ${formatBps(most)}`;
}
