import { Text } from '@mantine/core';
import { useId } from 'react';
import { t } from '../../api/texts.ts';
import classes from '../../ui/forms/choice.module.css';

type CompoundingChoiceProps = {
  value: boolean | null;
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (compounding: boolean) => void;
};

const options = [
  {
    compounding: true,
    name: t`Reinvest gains`,
    sentence: t`Compounding: gains of a session are traded in the next one.`,
  },
  {
    compounding: false,
    name: t`Pay out gains`,
    sentence: t`Gains of each session go to your Profit Wallet. The plan keeps trading the amount invested.`,
  },
] as const;

/** What becomes of gains. Of losses there is nothing to choose, and that is said as plainly. */
export function CompoundingChoice({ value, invalid, describedBy, onChange }: CompoundingChoiceProps) {
  const name = useId();
  return (
    <fieldset className={classes.group} aria-invalid={invalid || undefined} aria-describedby={describedBy}>
      <legend className={classes.head}>
        {t`Gains`} <Text span inherit c="dimmed" fz="xs" fw={400}>{t`Losses always reduce the plan`}</Text>
      </legend>
      <div className={classes.options} data-wrong={invalid || undefined}>
        {options.map(({ compounding, ...option }) => (
          <label key={option.name} className={classes.card}>
            <input
              type="radio"
              className={classes.radio}
              name={name}
              checked={compounding === value}
              onChange={() => onChange(compounding)}
            />
            <span className={classes.optionWords}>
              <b>{option.name}</b> <span>{option.sentence}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
