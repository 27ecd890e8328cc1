import type { TradeDetail, TradeFill } from '#contract/trading/trade-detail.ts';

/** One line of the calculation: what it gives, how, and what came out. */
export type WorkingStep = {
  readonly name: string;
  /** The rule in letters. */
  readonly rule: string;
  /** The same with this trade's numbers. */
  readonly numbers: string;
  readonly result: string;
  /** Signed results are coloured, all else is not. */
  readonly signed?: number;
};

const MOST_DIGITS = 6;

/** Dollars with every digit the ledger has: `exactDollars(-1.248876) === '−1.248876'`. */
export const exactDollars = (dollars: number): string =>
  `${dollars < 0 ? '−' : ''}${grouped(trimmed(Math.abs(dollars).toFixed(MOST_DIGITS)))}`;

/** `grouped('68412.5') === '68,412.5'` */
export function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? thousands : `${thousands}.${fraction}`;
}

const trimmed = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);

/** Basis points as percent with all their digits: `rate(40) === '0.4 %'`. */
export const rate = (bps: number): string => `${trimmed((bps / 100).toFixed(2))} %`;

/**
 * The calculation of a trade as far as it has come, so that every figure can be checked by hand (docs/product.md,
 * section 2). Money is cut after 6 decimals and prices are rounded half up after 12, once each.
 */
export function workingOf(detail: TradeDetail): WorkingStep[] {
  const { trade, rates, opening, net, quantity } = detail;
  if (rates === null || opening === null || net === null || quantity === null || trade.fee === null) return [];
  const amount = exactDollars(trade.amount);
  const fee = exactDollars(trade.fee);
  const invested = exactDollars(net);
  return [
    {
      name: 'Trade fee f',
      rule: 'A × rate',
      numbers: `${amount} × ${rate(rates.trade_bps)}`,
      result: fee,
    },
    { name: 'Invested N', rule: 'A − f', numbers: `${amount} − ${fee}`, result: invested },
    priceStep('Open price', '+', opening),
    {
      name: 'Quantity',
      rule: 'N ÷ open price',
      numbers: `${invested} ÷ ${grouped(opening.price)}`,
      result: `${grouped(quantity)} ${trade.symbol}`,
    },
    ...closingSteps(detail, { amount, invested }),
  ];
}

function priceStep(name: string, sign: '+' | '−', { mark, spread_bps: spread, price }: TradeFill): WorkingStep {
  return {
    name,
    rule: `mark × (1 ${sign} spread ÷ 2)`,
    numbers: `${grouped(mark)} × (1 ${sign} ${rate(spread)} ÷ 2)`,
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
    priceStep('Close price', '−', closing),
    {
      name: 'Proceeds P',
      rule: 'N × close price ÷ open price',
      numbers: `${invested} × ${grouped(closing.price)} ÷ ${grouped(opening.price)}`,
      result: sold,
    },
    { name: 'Gross', rule: 'P − N', numbers: `${sold} − ${invested}`, result: signed(gross), signed: gross },
    {
      name: 'Performance fee g',
      rule: 'what P is over A × rate',
      numbers: over > 0 ? `(${sold} − ${amount}) × ${rate(rates.performance_bps)}` : 'P is not over A',
      result: exactDollars(performanceFee),
    },
    {
      name: 'Result',
      rule: 'P − A − g',
      numbers: `${sold} − ${amount} − ${exactDollars(performanceFee)}`,
      result: signed(result),
      signed: result,
    },
  ];
}

const signed = (dollars: number): string => `${dollars > 0 ? '+' : ''}${exactDollars(dollars)}`;
