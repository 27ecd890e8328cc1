import { Anchor } from '@mantine/core';
import { symbols } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import choice from '../../ui/forms/choice.module.css';
import { AssetIcon } from '../../ui/text/asset-icon.tsx';
import classes from './asset-picks.module.css';

type AssetPicksProps = {
  value: readonly string[];
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (symbols: string[]) => void;
};

/** One or several of the assets. They are kept in the order of the list, however they were chosen. */
export function AssetPicks({ value, invalid, describedBy, onChange }: AssetPicksProps) {
  const chosen = new Set(value);
  const areAll = chosen.size === symbols.length;
  const toggle = (symbol: string) => onChange(symbols.filter((other) => chosen.has(other) !== (other === symbol)));
  return (
    <fieldset className={choice.group} aria-invalid={invalid || undefined} aria-describedby={describedBy}>
      <legend className={choice.head}>
        {t`Assets`}
        <Anchor
          component="button"
          type="button"
          size="xs"
          fw={500}
          onClick={() => onChange(areAll ? [] : [...symbols])}
        >
          {areAll ? t`Clear selection` : t`Select all`}
        </Anchor>
      </legend>
      <div className={`${choice.assets} ${classes.assets}`} data-wrong={invalid || undefined}>
        {symbols.map((symbol) => (
          <label key={symbol} className={`${choice.card} ${classes.asset}`}>
            <input
              type="checkbox"
              className={choice.hidden}
              value={symbol}
              checked={chosen.has(symbol)}
              onChange={() => toggle(symbol)}
            />
            <AssetIcon symbol={symbol} size={24} />
            {symbol}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
