import type { StrategyName } from '#contract/trading/strategy.ts';
import { t } from '../../api/texts.ts';
import { findMistake, type TradeDraft, type TradeMistake } from '../../entities/trade/check-trade.ts';

export type PlanDraft = TradeDraft & {
  readonly strategy: StrategyName | null;
  readonly compounding: boolean | null;
};

export type PlanMistake = TradeMistake | { readonly field: 'strategy' | 'compounding'; readonly message: string };

/**
 * What *Create plan* says before anything is sent, from top to bottom of the form and in the words of the server; null
 * when the request may go. The asset and the minimum are refused as for a trade.
 */
export function findPlanMistake({ strategy, compounding, ...trade }: PlanDraft): PlanMistake | null {
  const mistake = findMistake(trade);
  if (mistake?.field === 'tradeId') return mistake;
  if (strategy === null) return { field: 'strategy', message: t`Choose a strategy.` };
  if (compounding === null) return { field: 'compounding', message: t`Choose whether gains stay in.` };
  return mistake;
}
