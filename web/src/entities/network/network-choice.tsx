import { Input } from '@mantine/core';
import { useId } from 'react';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import choice from '../../ui/forms/choice.module.css';

export type NetworkOption = { readonly value: PayoutNetwork; readonly name: string; readonly sentence: string };

type NetworkChoiceProps = {
  label: string;
  options: readonly NetworkOption[];
  value: PayoutNetwork | null;
  problem: string | undefined;
  onChange: (network: PayoutNetwork) => void;
};

/** A coin sent on another network is lost, so each network says its coin and what tells it from the others. */
export function NetworkChoice({ label, options, value, problem, onChange }: NetworkChoiceProps) {
  const name = useId();
  const problemId = useId();
  return (
    <fieldset
      className={choice.group}
      aria-invalid={problem !== undefined || undefined}
      aria-describedby={problem === undefined ? undefined : problemId}
    >
      <legend className={choice.head}>{label}</legend>
      <div className={choice.options} data-wrong={problem !== undefined || undefined}>
        {options.map((network) => (
          <label key={network.value} className={choice.card}>
            <input
              type="radio"
              className={choice.radio}
              name={name}
              value={network.value}
              checked={network.value === value}
              onChange={() => onChange(network.value)}
            />
            <span className={choice.optionWords}>
              <b>{network.name}</b> <span>{network.sentence}</span>
            </span>
          </label>
        ))}
      </div>
      {problem !== undefined && (
        <Input.Error id={problemId} role="alert" mt={10}>
          {problem}
        </Input.Error>
      )}
    </fieldset>
  );
}
