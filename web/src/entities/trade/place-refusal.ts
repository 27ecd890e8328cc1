import { refusals } from '#contract/refusals.ts';
import { CallError } from '../../api/call.ts';
import { translate } from '../../api/texts.ts';
import type { TradeMistake } from './check-trade.ts';

/** What the server refused, beside the field it is about; silence on the line is said as what it is. */
export function refusalToMistake(error: Error): TradeMistake {
  const field = error instanceof CallError && error.code === 'trade_not_selected' ? 'tradeId' : 'amount';
  return { field, message: error.message || translate(refusals.internal[1]) };
}
