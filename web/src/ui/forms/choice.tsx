import { Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './choice.module.css';

/** Card layout, and whether the radio dot is shown; on cards with little text the outline is enough. */
const looks = {
  options: { grid: classes.options, card: classes.card, radio: classes.radio },
  wallets: { grid: classes.wallets, card: classes.card, radio: classes.radio },
  assets: { grid: classes.assets, card: `${classes.card} ${classes.asset}`, radio: classes.hidden },
  levels: { grid: classes.levels, card: `${classes.card} ${classes.level}`, radio: classes.hidden },
} as const;

type CardChoiceProps<T> = {
  legend: string;
  /** Secondary text beside the legend. */
  aside?: string;
  variant: keyof typeof looks;
  /** undefined while loading. */
  options: readonly T[] | undefined;
  value: T | null;
  onChange: (value: T) => void;
  card: (value: T) => ReactNode;
  /** Shown while the options load. */
  loading?: ReactNode;
  /** The chosen or first option takes the focus when its dialog opens. */
  hasFocus?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
  /** Below the cards. */
  children?: ReactNode;
};

/** One of a few options, each a card that is pressed as a whole. */
export function CardChoice<T extends string | number | boolean>(props: CardChoiceProps<T>) {
  const { legend, aside, variant, options, value, onChange, card, invalid, describedBy } = props;
  const name = useId();
  const { grid, card: cardClass, radio } = looks[variant];
  return (
    <fieldset className={classes.group} aria-invalid={invalid || undefined} aria-describedby={describedBy}>
      <legend className={classes.head}>
        {legend}
        {aside !== undefined && (
          <>
            {' '}
            <Text span inherit c="dimmed" fz="xs" fw={400}>
              {aside}
            </Text>
          </>
        )}
      </legend>
      <div className={grid} data-wrong={invalid || undefined}>
        {options === undefined && props.loading}
        {options?.map((option) => (
          <label key={String(option)} className={cardClass}>
            <input
              type="radio"
              className={radio}
              name={name}
              value={String(option)}
              checked={option === value}
              data-autofocus={(props.hasFocus && option === (value ?? options[0])) || undefined}
              onChange={() => onChange(option)}
            />
            {card(option)}
          </label>
        ))}
      </div>
      {props.children}
    </fieldset>
  );
}

/** An option that needs a sentence of explanation. */
export const OptionText = ({ name, sentence }: { name: string; sentence: string }) => (
  <span className={classes.optionText}>
    <b>{name}</b> <span>{sentence}</span>
  </span>
);
