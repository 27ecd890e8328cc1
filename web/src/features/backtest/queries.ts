import { useMutation } from '@tanstack/react-query';
import type { BacktestOrderInput } from '#contract/backtest.ts';
import { call } from '../../shared/call.ts';
import { endpoints } from '../../shared/endpoints.ts';

/** A backtest moves nothing, so nothing is read again after it. */
export const useRunBacktest = () =>
  useMutation({ mutationFn: (body: BacktestOrderInput) => call(endpoints.backtest.runBacktest, { body }) });
