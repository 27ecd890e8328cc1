import { Box, Skeleton, Text } from '@mantine/core';
import type { TradableAsset } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import classes from '../../ui/forms/choice.module.css';
import { CardChoice } from '../../ui/forms/choice.tsx';
import { type ListQuery, QueryFault } from '../../ui/table/data-table-states.tsx';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Percent } from '../../ui/text/money.tsx';

type AssetChoiceProps = {
  query: ListQuery & { data: readonly TradableAsset[] | undefined };
  value: string | null;
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (id: string) => void;
};

const LOADING = Array.from({ length: 16 }, (_, index) => index);

/** The tradable assets: icon, name and 24-hour change. */
export function AssetChoice({ query, value, invalid, describedBy, onChange }: AssetChoiceProps) {
  const assets = query.data;
  const changes = new Map(assets?.map(({ id, percentage }) => [id, percentage]));
  return (
    <CardChoice
      legend={t`Asset`}
      aside={t`Change in 24 h`}
      variant="assets"
      options={assets && [...changes.keys()]}
      loading={!query.isError && LOADING.map((index) => <Skeleton key={index} className={classes.loading} />)}
      card={(id) => (
        <>
          <AssetIcon symbol={id} size={24} />
          <Box component="span" miw={0}>
            <span className={classes.assetName}>
              {id}
              <span className={classes.quote}>{'/usdt'}</span>
            </span>{' '}
            <span className={classes.change}>
              <Percent value={changes.get(id)} signed />
            </span>
          </Box>
        </>
      )}
      {...{ value, invalid, describedBy, onChange }}
    >
      {assets === undefined && <QueryFault query={query} />}
      {assets?.length === 0 && (
        <Text inherit c="var(--tw-text-2)" fz="sm">
          {t`No asset can be traded at the moment.`}
        </Text>
      )}
    </CardChoice>
  );
}
