import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { TradeState } from '#contract/trading.ts';
import { call } from '../../shared/call.ts';
import { endpoints } from '../../shared/endpoints.ts';
