import { Box, Skeleton, Text } from '@mantine/core';
import { useId } from 'react';
import type { TradableAsset } from '#contract/trading/trading.ts';
import { t } from '../../api/texts.ts';
import classes from '../../ui/forms/choice.module.css';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import { Percent } from '../../ui/text/money.tsx';

type AssetChoiceProps = {
  assets: readonly TradableAsset[] | undefined;
  value: string | null;
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (id: string) => void;
};

const LOADING = Array.from({ length: 16 }, (_, index) => index);

/** What can be traded now: icon, name and the change of the last 24 hours. */
export function AssetChoice({ assets, value, invalid, describedBy, onChange }: AssetChoiceProps) {
  const name = useId();
  return (
    <fieldset className={classes.group} aria-invalid={invalid || undefined} aria-describedby={describedBy}>
      <legend className={classes.head}>
        {t`Asset`}{' '}
        <Text span inherit c="dimmed" fz="xs" fw={400}>
          {t`Change in 24 h`}
        </Text>
      </legend>
      <div className={classes.assets} data-wrong={invalid || undefined}>
        {assets === undefined && LOADING.map((index) => <Skeleton key={index} className={classes.loading} />)}
        {assets?.map((asset) => (
          <label key={asset.id} className={`${classes.card} ${classes.asset}`}>
            <input
              type="radio"
              className={classes.hidden}
              name={name}
              value={asset.id}
              checked={asset.id === value}
              onChange={() => onChange(asset.id)}
            />
            <AssetIcon symbol={asset.id} size={24} />
            <Box component="span" miw={0}>
              <span className={classes.assetName}>
                {asset.id}
                <span className={classes.quote}>{'/usdt'}</span>
              </span>{' '}
              <span className={classes.change}>
                <Percent value={asset.percentage} signed />
              </span>
            </Box>
          </label>
        ))}
      </div>
      {assets?.length === 0 && (
        <Text inherit c="var(--tw-text-2)" fz="sm">
          {t`No asset can be traded at the moment.`}
        </Text>
      )}
    </fieldset>
  );
}
