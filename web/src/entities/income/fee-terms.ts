import { useQuery } from '@tanstack/react-query';
import type { FeePlan, FeePlanTerms } from '#contract/fee-plan.ts';
import type { Session } from '#contract/trading/trading.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { feesQuery } from '../../api/trading-queries.ts';

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
