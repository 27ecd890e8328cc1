import type { Portfolio } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';

type Equity = readonly Pick<Portfolio['equity'][number], 'value' | 'put_in'>[];

/**
 * What happened since the last session ended: the result alone, without money put in or taken out meanwhile, in
 * dollars and in percent of the net worth then. Null while there is no earlier point.
 * 9 600 then and 9 700 now after a deposit of 80 is a result of 20.
 */
export function sinceLastSession(equity: Equity): { result: number; percent: number | null } | null {
  const [before, now] = equity.slice(-2);
  if (before === undefined || now === undefined) return null;
  const result = now.value - now.put_in - (before.value - before.put_in);
  return { result, percent: before.value > 0 ? (result / before.value) * 100 : null };
}

export type WorthPart = { readonly label: string; readonly value: number; readonly series: number };
type Wallet = { balance: number; held: number; in_trade: number };

/**
 * The parts the net worth is made of. Trades, open and queued, are what is left of it after wallets, plans and holds, so
 * that the parts always add up to the figure above them. What the member never had is left out; the two wallets always
 * stand there.
 */
export function worthParts(
  netWorth: number,
  wallets: { primary: Wallet; profit: Wallet },
  plans: readonly { readonly value: number }[],
): WorthPart[] {
  const held = wallets.primary.held + wallets.profit.held;
  const inPlans = plans.reduce((sum, plan) => sum + plan.value, 0);
  const inTrades = Math.max(0, netWorth - wallets.primary.balance - wallets.profit.balance - inPlans - held);
  const placed = wallets.primary.in_trade + wallets.profit.in_trade;
  return [
    { label: t`Primary wallet`, value: wallets.primary.balance, series: 1 },
    { label: t`Profit wallet`, value: wallets.profit.balance, series: 2 },
    ...(placed > 0 ? [{ label: t`In trades`, value: inTrades, series: 3 }] : []),
    ...(inPlans > 0 ? [{ label: t`Plans`, value: inPlans, series: 4 }] : []),
    ...(held > 0 ? [{ label: t`On hold`, value: held, series: 5 }] : []),
  ];
}
