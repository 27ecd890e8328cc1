import { Input } from '@mantine/core';
import { useId } from 'react';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { CardChoice, OptionText } from '../../ui/forms/choice.tsx';

export type NetworkOption = { readonly value: PayoutNetwork; readonly name: string; readonly sentence: string };

type NetworkChoiceProps = {
  label: string;
  options: readonly NetworkOption[];
  value: PayoutNetwork | null;
  problem: string | undefined;
  onChange: (network: PayoutNetwork) => void;
};

/** A coin sent on the wrong network is lost, so each option names its coin and what tells it from the others. */
export function NetworkChoice({ label, options, value, problem, onChange }: NetworkChoiceProps) {
  const problemId = useId();
  const networks = new Map(options.map((option) => [option.value, option]));
  return (
    <CardChoice
      legend={label}
      variant="options"
      options={[...networks.keys()]}
      value={value}
      hasFocus
      invalid={problem !== undefined}
      describedBy={problem === undefined ? undefined : problemId}
      onChange={onChange}
      card={(network) => (
        <OptionText name={networks.get(network)?.name ?? ''} sentence={networks.get(network)?.sentence ?? ''} />
      )}
    >
      {problem !== undefined && (
        <Input.Error id={problemId} role="alert" mt={10}>
          {problem}
        </Input.Error>
      )}
    </CardChoice>
  );
}
