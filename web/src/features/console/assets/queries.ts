import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { consoleAssets } from '#contract/operator/assets.ts';
import { call } from '../../../api/call.ts';
import type { PageQuery } from '../../../api/collect-pages.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import type { Verdict } from '../kit/use-decisions.tsx';

const rows = endpoints.consoleAssets;
const LIST_POLL_MS = 10_000;

export const assetsQuery = queryOptions({
  queryKey: ['operator', 'assets', 'list'],
  queryFn: ({ signal }) => call(rows.listAssets, { signal }),
  refetchInterval: pollEvery(LIST_POLL_MS),
});

export const readSpreadChanges = (symbol: string) => (query: PageQuery, signal: AbortSignal) =>
  call(rows.listSpreadChanges, { params: { symbol }, query, signal });

export type AssetDecision = 'off' | 'on';

function useRefresh() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: ['operator', 'assets'] });
    void client.invalidateQueries({ queryKey: ['market'] });
  };
}

/** Each decision names the version that the operator saw. */
export const useSwitchAsset = (symbol: string) =>
  useMutation({
    mutationFn: ({ decision, version, values: { reason: why, otp } }: Verdict<AssetDecision>) =>
      call(rows.setAssetActive, {
        params: { symbol },
        body: decision === 'off' ? { active: false, version, why } : { active: true, version, why, otp },
      }),
    onSettled: useRefresh(),
  });

export const useSetSpread = (symbol: string) =>
  useMutation({
    mutationFn: (body: BodyInOf<typeof consoleAssets.changeSpread>) =>
      call(rows.changeSpread, { params: { symbol }, body }),
    onSettled: useRefresh(),
  });
