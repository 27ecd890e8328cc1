import { useQuery } from '@tanstack/react-query';
import { feePlans } from '#contract/endpoints.ts';
import type { FeePlan, FeePlanTerms } from '#contract/fee-plan.ts';
import type { Session } from '#contract/trading/trading.ts';
import { appInfo } from '../../api/app-info.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { queryOf } from '../../api/query-of.ts';
import { t } from '../../api/texts.ts';

/** The fee plan in force and the one that waits for the next opening. Everybody may read it. */
export const feesQuery = queryOf(['market', 'fees'], feePlans.getFees, { pollMs: 10_000 });

export type Fees = { readonly current: FeePlan; readonly next: FeePlan | null };

/** Of the next session that opens. */
export const nextTerms = ({ current, next }: Fees): FeePlanTerms => (next ?? current).terms;

/** What a trade placed now pays: in an open session that session's fees, at any other time those of the next opening. */
export const termsNow = (fees: Fees, { state }: Pick<Session, 'state'>): FeePlanTerms =>
  state === 'open' ? fees.current.terms : nextTerms(fees);

/** For a trade placed now; undefined while it is not known. */
export function useTradeTerms(): FeePlanTerms | undefined {
  const { data: fees } = useQuery(feesQuery);
  const { data: session } = useQuery(sessionQuery);
  return fees && session && termsNow(fees, session);
}

/** For a plan made now, which trades from the next opening on. */
export function usePlanTerms(): FeePlanTerms | undefined {
  const { data: fees } = useQuery(feesQuery);
  return fees && nextTerms(fees);
}

/** For what is open now, and for whoever asks what an account costs: the fees of the session that opened last. */
export function useCurrentTerms(): FeePlanTerms | undefined {
  return useQuery(feesQuery).data?.current.terms;
}

const MICROS = 1_000_000;
const BPS = 10_000n;

export type FeeLines = { readonly fee: number; readonly position: number };

/**
 * What opening a trade takes and what it buys (docs/product.md, sections 2 and 6), in dollars: the fee is its rate of
 * the amount, rounded down to a micro as the ledger does it, the position is the rest. Null for what is no amount yet,
 * and while the rate is not known. `feeLines(550, 40)` is `{ fee: 2.2, position: 547.8 }`
 */
export function feeLines(amount: number | null, tradeBps: number | undefined): FeeLines | null {
  if (tradeBps === undefined || amount === null || !Number.isFinite(amount) || amount <= 0) return null;
  const micros = BigInt(Math.round(amount * MICROS));
  const fee = (micros * BigInt(tradeBps)) / BPS;
  return { fee: Number(fee) / MICROS, position: Number(micros - fee) / MICROS };
}

/** Members pay what the exchange takes, inside of every price; on paper nobody takes anything. */
export const hasExchangeFee = (): boolean => appInfo.venue === 'ccxt';

/** A rate in basis points in words. `percentWords(40) === '0.40%'`, `percentWords(1000) === '10%'` */
export const percentWords = (bps: number) => `${bps % 100 === 0 ? bps / 100 : (bps / 100).toFixed(2)}%`;

/** A line's label with its rate, once that is known. `rateLabel('Trade fee', 40) === 'Trade fee, 0.40%'` */
export const rateLabel = (label: string, bps: number | undefined) =>
  bps === undefined ? label : `${label}, ${percentWords(bps)}`;

/** What of a gain the house takes. `ofGain(1000) === '10% of a gain'` */
export const ofGain = (bps: number | undefined) => (bps === undefined ? '–' : t`${percentWords(bps)} of a gain`);
