import type { PlanStateReason } from '#contract/trading/plan.ts';

const because: Record<Exclude<PlanStateReason, 'member'>, string> = {
  minimum: 'what is left in it is under the minimum',
  own_limit: 'one of your own limits is reached',
  asset_off: 'the asset is switched off',
};

/** `pausedMessage('btc', 'minimum')`: "Your plan on BTC/USDT is paused: what is left in it is under the minimum." */
export const pausedMessage = (symbol: string, reason: Exclude<PlanStateReason, 'member'>): string =>
  `Your plan on ${symbol.toUpperCase()}/USDT is paused: ${because[reason]}.`;
