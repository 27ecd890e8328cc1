import { NumberInput, Text } from '@mantine/core';
import { useId } from 'react';
import type { StrategyName } from '#contract/trading/strategy.ts';
import classes from './choice.module.css';
import { type Knob, type KnobDraft, type KnobMistakes, knobs, strategyNames, strategyWords } from './strategies.ts';

type StrategyChoiceProps = {
  value: StrategyName | null;
  draft: KnobDraft;
  mistakes: KnobMistakes;
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (strategy: StrategyName) => void;
  onKnob: (knob: Knob, value: number | string) => void;
};

/** The three strategies, each with what it does, and the knobs of the chosen one. */
export function StrategyChoice(props: StrategyChoiceProps) {
  const { value, draft, mistakes, invalid, describedBy, onChange, onKnob } = props;
  const name = useId();
  return (
    <fieldset className={classes.group} aria-invalid={invalid || undefined} aria-describedby={describedBy}>
      <legend className={classes.head}>
        Strategy{' '}
        <Text span inherit c="dimmed" fz="xs" fw={400}>
          Looks at candles of 15 minutes
        </Text>
      </legend>
      <div className={classes.options} data-wrong={invalid || undefined}>
        {strategyNames.map((strategy) => (
          <label key={strategy} className={classes.card}>
            <input
              type="radio"
              className={classes.radio}
              name={name}
              value={strategy}
              checked={strategy === value}
              onChange={() => onChange(strategy)}
            />
            <span className={classes.optionWords}>
              <b>{strategyWords[strategy].name}</b> <span>{strategyWords[strategy].sentence}</span>
            </span>
          </label>
        ))}
      </div>
      {value !== null && strategyWords[value].knobs.length > 0 && (
        <div className={classes.knobs}>
          {strategyWords[value].knobs.map((knob) => (
            <NumberInput
              key={knob}
              label={knobs[knob].label}
              description={`From ${knobs[knob].min} to ${knobs[knob].max}`}
              min={knobs[knob].min}
              max={knobs[knob].max}
              step={knobs[knob].step}
              clampBehavior="none"
              allowNegative={false}
              decimalScale={2}
              inputMode="decimal"
              autoComplete="off"
              value={draft[knob]}
              onChange={(next) => onKnob(knob, next)}
              error={mistakes[knob]}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
