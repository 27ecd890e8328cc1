import { TextInput } from '@mantine/core';
import type { StrategyName } from '#contract/trading/strategy.ts';
import { t } from '../../api/texts.ts';
import classes from '../../ui/forms/choice.module.css';
import { CardChoice, OptionText } from '../../ui/forms/choice.tsx';
import {
  type Parameter,
  type ParameterDraft,
  type ParameterErrors,
  parameters,
  strategyLabels,
  strategyNames,
} from './strategies.ts';

type StrategyChoiceProps = {
  value: StrategyName | null;
  draft: ParameterDraft;
  errors: ParameterErrors;
  invalid: boolean;
  describedBy: string | undefined;
  onChange: (strategy: StrategyName) => void;
  onParameter: (parameter: Parameter, value: string) => void;
};

/** The three strategies with their descriptions, and the parameters of the chosen one. */
export function StrategyChoice(props: StrategyChoiceProps) {
  const { value, draft, errors, invalid, describedBy, onChange, onParameter } = props;
  return (
    <CardChoice
      legend={t`Strategy`}
      aside={t`Uses 15-minute candles`}
      variant="options"
      options={strategyNames}
      card={(strategy) => <OptionText {...strategyLabels[strategy]} />}
      {...{ value, invalid, describedBy, onChange }}
    >
      {value !== null && strategyLabels[value].parameters.length > 0 && (
        <div className={classes.parameters}>
          {strategyLabels[value].parameters.map((parameter) => (
            <TextInput
              key={parameter}
              label={parameters[parameter].label}
              description={t`From ${parameters[parameter].min} to ${parameters[parameter].max}`}
              inputMode="decimal"
              autoComplete="off"
              value={draft[parameter]}
              onChange={(event) => onParameter(parameter, event.currentTarget.value)}
              error={errors[parameter]}
            />
          ))}
        </div>
      )}
    </CardChoice>
  );
}
