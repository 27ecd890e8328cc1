import { useMutation } from '@tanstack/react-query';
import type { BacktestOrderInput } from '#contract/trading/backtest.ts';
import { call } from '../../api/call.ts';
import { endpoints } from '../../api/endpoints.ts';

/** A backtest moves nothing, so nothing is read again after it. */
export const useRunBacktest = () =>
  useMutation({ mutationFn: (body: BacktestOrderInput) => call(endpoints.backtest.runBacktest, { body }) });
