import type { TradeDetail, TradeFill } from '#contract/trading/trade-detail.ts';
import { t } from '../../api/texts.ts';
import { formatBps } from '../../entities/income/fees.ts';
import { grouped } from '../../ui/format/number.ts';

/** One line of the calculation: its label, formula and result. */
export type WorkingStep = {
  readonly name: string;
  /** The formula. */
  readonly rule: string;
  /** The formula with this trade's numbers. */
  readonly numbers: string;
  readonly result: string;
  /** Signed results are coloured, nothing else is. */
  readonly signed?: number;
};

const MAX_DIGITS = 6;

/** Dollars with all digits of the ledger: `exactDollars(-1.248876) === '−1.248876'`. */
export const exactDollars = (dollars: number): string =>
  `${dollars < 0 ? '−' : ''}${grouped(trimmed(Math.abs(dollars).toFixed(MAX_DIGITS)))}`;

const trimmed = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);

/**
 * The calculation of a trade so far, so that every figure can be checked by hand (docs/product.md, section 2). Money is
 * truncated to 6 decimals and prices are rounded half up to 12, once each.
 */
export function workingOf(detail: TradeDetail): WorkingStep[] {
  const { trade, rates, opening, net, quantity } = detail;
  if (rates === null || opening === null || net === null || quantity === null || trade.fee === null) return [];
  const amount = exactDollars(trade.amount);
  const fee = exactDollars(trade.fee);
  const invested = exactDollars(net);
  return [
    {
      name: t`Trade fee f`,
      rule: t`A × rate`,
      numbers: `${amount} × ${formatBps(rates.trade_bps)}`,
      result: fee,
    },
    { name: t`Position N`, rule: 'A − f', numbers: `${amount} − ${fee}`, result: invested },
    priceStep(t`Entry price`, '+', opening),
    {
      name: t`Quantity`,
      rule: t`N ÷ entry price`,
      numbers: `${invested} ÷ ${grouped(opening.price)}`,
      result: `${grouped(quantity)} ${trade.symbol}`,
    },
    ...closingSteps(detail, { amount, invested }),
  ];
}

function priceStep(name: string, sign: '+' | '−', fill: TradeFill): WorkingStep {
  const { mark, spread_bps: spread, price, execution } = fill;
  if (execution !== null) {
    const { fill: filled, exchange_fee: exchangeFee, markup } = execution;
    return {
      name,
      rule: t`exchange’s fill ${sign} exchange fee ${sign} our markup`,
      numbers: [filled, exchangeFee, markup].map(grouped).join(` ${sign} `),
      result: grouped(price),
    };
  }
  return {
    name,
    rule: t`mark × (1 ${sign} spread ÷ 2)`,
    numbers: `${grouped(mark)} × (1 ${sign} ${formatBps(spread)} ÷ 2)`,
    result: grouped(price),
  };
}

function closingSteps(
  { trade, rates, opening, closing, proceeds }: TradeDetail,
  { amount, invested }: { amount: string; invested: string },
): WorkingStep[] {
  const { gross, performance_fee: performanceFee, result } = trade;
  if (!closing || !opening || !rates || proceeds === null || gross === null) return [];
  if (performanceFee === null || result === null) return [];
  const sold = exactDollars(proceeds);
  const over = Math.max(0, proceeds - trade.amount);
  return [
    priceStep(t`Exit price`, '−', closing),
    {
      name: t`Proceeds P`,
      rule: t`N × exit price ÷ entry price`,
      numbers: `${invested} × ${grouped(closing.price)} ÷ ${grouped(opening.price)}`,
      result: sold,
    },
    { name: t`Gross`, rule: 'P − N', numbers: `${sold} − ${invested}`, result: signed(gross), signed: gross },
    {
      name: t`Performance fee g`,
      rule: t`(P − A) × rate, if P exceeds A`,
      numbers: over > 0 ? `(${sold} − ${amount}) × ${formatBps(rates.performance_bps)}` : t`P does not exceed A`,
      result: exactDollars(performanceFee),
    },
    {
      name: t`P&L`,
      rule: 'P − A − g',
      numbers: `${sold} − ${amount} − ${exactDollars(performanceFee)}`,
      result: signed(result),
      signed: result,
    },
  ];
}

const signed = (dollars: number): string => `${dollars > 0 ? '+' : ''}${exactDollars(dollars)}`;
