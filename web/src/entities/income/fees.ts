import { useQuery } from '@tanstack/react-query';
import type { DataOf } from '#contract/endpoint.ts';
import { feePlans } from '#contract/endpoints.ts';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { shareOf, toDollars, toMicros } from '#contract/money.ts';
import { appInfo } from '../../api/app-info.ts';
import { opensNow, type SessionTimes } from '../../api/market/opens-now.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { queryOf } from '../../api/query-of.ts';
import { t } from '../../api/texts.ts';

/** The current fee plan and the next session's, if another one. Public. */
export const feesQuery = queryOf(['market', 'fees'], feePlans.getFees, { pollMs: 10_000 });

export type Fees = DataOf<typeof feePlans.getFees>;

/** From the next session to open. */
export const nextTerms = ({ current, next }: Fees): FeePlanTerms => (next ?? current).terms;

/** The fees of a trade placed now: this session's if it opens in it, otherwise those of the next opening. */
export const termsNow = (fees: Fees, session: SessionTimes): FeePlanTerms =>
  opensNow(session) ? fees.current.terms : nextTerms(fees);

/** For a trade placed now; undefined while loading. */
export function useTradeTerms(): FeePlanTerms | undefined {
  const { data: fees } = useQuery(feesQuery);
  const { data: session } = useQuery(sessionQuery);
  return fees && session && termsNow(fees, session);
}

/** For a plan created now, which trades from the next opening on. */
export function usePlanTerms(): FeePlanTerms | undefined {
  const { data: fees } = useQuery(feesQuery);
  return fees && nextTerms(fees);
}

/** For open positions and general information: the fees of the session that opened last. */
export function useCurrentTerms(): FeePlanTerms | undefined {
  return useQuery(feesQuery).data?.current.terms;
}

const BPS = 10_000n;

/**
 * What opening a trade costs and buys (docs/product.md, sections 2 and 6), in dollars: the fee is the rate times the
 * amount, rounded down to a micro as in the ledger; the position is the rest. Null while the amount is invalid or the
 * rate is unknown. `feeLines(550, 40)` is `{ fee: 2.2, position: 547.8 }`
 */
export function feeLines(amount: number | null, tradeBps: number | undefined) {
  if (tradeBps === undefined || amount === null || !Number.isFinite(amount) || amount <= 0) return null;
  const micros = toMicros(amount);
  const fee = shareOf(micros, BigInt(tradeBps), BPS);
  return { fee: toDollars(fee), position: toDollars(micros - fee) };
}

/** Exchange fees are part of every price and so paid by members; in paper mode there are none. */
export const hasExchangeFee = (): boolean => appInfo.venue === 'ccxt';

/** A rate in basis points as a percentage. `formatBps(40) === '0.40%'`, `formatBps(1000) === '10%'` */
export const formatBps = (bps: number) => `${bps % 100 === 0 ? bps / 100 : (bps / 100).toFixed(2)}%`;

/** A label with its rate, once loaded. `rateLabel('Trade fee', 40) === 'Trade fee, 0.40%'` */
export const rateLabel = (label: string, bps: number | undefined) =>
  bps === undefined ? label : `${label}, ${formatBps(bps)}`;

/** The performance fee. `ofGain(1000) === '10% of a gain'` */
export const ofGain = (bps: number | undefined) => (bps === undefined ? '–' : t`${formatBps(bps)} of a gain`);
