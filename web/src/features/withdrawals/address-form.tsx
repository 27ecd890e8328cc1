import { Input, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import choice from '../../entities/trade/choice.module.css';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { GroupedText, TextBox } from '../../ui/text/text-box.tsx';
import type { Destination } from './asked.ts';
import { networks } from './withdrawal-labels.ts';

export type AddressDraft = { network: PayoutNetwork | null; address: string };

type AddressFormProps = {
  draft: AddressDraft;
  onDraft: (draft: AddressDraft) => void;
  isBusy: boolean;
  onAsk: (asked: Destination, onError: (error: Error) => void) => void;
};

type Faults = { network?: string | undefined; address?: string | undefined };

/** Step 1: network and address, with the address again as a person compares it. Its form is checked by the server. */
export function AddressForm({ draft, onDraft, isBusy, onAsk }: AddressFormProps) {
  const [faults, setFaults] = useState<Faults>({});
  const addressField = useRef<HTMLInputElement>(null);
  const address = draft.address.trim();

  const show = (next: Faults) => {
    setFaults(next);
    if (next.network === undefined && next.address !== undefined) addressField.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const { network } = draft;
    if (network === null) return show({ network: 'Choose a network.' });
    if (address === '') return show({ address: 'Enter the address.' });
    show({});
    onAsk({ network, address }, (error) => {
      if (error instanceof CallError) show({ network: error.fields.network, address: error.fields.address });
    });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NetworkChoice
          value={draft.network}
          problem={faults.network}
          onChange={(network) => {
            onDraft({ ...draft, network });
            setFaults({});
          }}
        />
        <TextInput
          ref={addressField}
          label="Address"
          description="Copy it from your wallet, with its capital letters as they are."
          error={faults.address}
          errorProps={{ role: 'alert' }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={draft.address}
          onChange={(event) => {
            onDraft({ ...draft, address: event.currentTarget.value });
            setFaults((now) => ({ ...now, address: undefined }));
          }}
        />
        {address !== '' && (
          <TextBox label="Compare it with your wallet, group by group">
            <GroupedText>{address}</GroupedText>
          </TextBox>
        )}
        <Text size="xs" c="dimmed">
          What is sent to a wrong address or over a wrong network cannot be brought back. After the change withdrawals
          wait {withdrawalRules.waitHours} hours, and you get a mail with which you can stop them.
        </Text>
        <BusyButton type="submit" size="lg" fullWidth busy={isBusy} busyLabel="Sending">
          Send me a code
        </BusyButton>
      </Stack>
    </form>
  );
}

type NetworkChoiceProps = {
  value: PayoutNetwork | null;
  problem: string | undefined;
  onChange: (network: PayoutNetwork) => void;
};

/** The same coin on another network is lost, so each says what is paid on it and how its addresses look. */
function NetworkChoice({ value, problem, onChange }: NetworkChoiceProps) {
  const name = useId();
  const problemId = useId();
  return (
    <fieldset
      className={choice.group}
      aria-invalid={problem !== undefined || undefined}
      aria-describedby={problem === undefined ? undefined : problemId}
    >
      <legend className={choice.head}>Network</legend>
      <div className={choice.options} data-wrong={problem !== undefined || undefined}>
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
