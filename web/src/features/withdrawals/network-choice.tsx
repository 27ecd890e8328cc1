import { Input } from '@mantine/core';
import { useId } from 'react';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import choice from '../../entities/trade/choice.module.css';
import classes from './address.module.css';
import { networks } from './withdrawal-labels.ts';

type NetworkChoiceProps = {
  value: PayoutNetwork | null;
  problem: string | undefined;
  onChange: (network: PayoutNetwork) => void;
};

/** The same coin on another network is lost, so each says what is paid on it and how its addresses look. */
export function NetworkChoice({ value, problem, onChange }: NetworkChoiceProps) {
  const name = useId();
  const problemId = useId();
  return (
    <fieldset
      className={choice.group}
      aria-invalid={problem !== undefined || undefined}
      aria-describedby={problem === undefined ? undefined : problemId}
    >
      <legend className={choice.head}>Network</legend>
      <div className={classes.networks} data-wrong={problem !== undefined || undefined}>
        {networks.map((network) => (
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
