import { Input, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import choice from '../../ui/forms/choice.module.css';
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

/** Step 1: network and address, with the address in groups to compare. The server checks its format. */
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
    if (network === null) return show({ network: t`Choose a network.` });
    if (address === '') return show({ address: t`Enter the address.` });
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
          label={t`Address`}
          description={t`Copy it from your wallet. Capital letters matter.`}
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
          <TextBox label={t`Compare with your wallet, group by group`}>
            <GroupedText>{address}</GroupedText>
          </TextBox>
        )}
        <Text
          size="xs"
          c="dimmed"
        >{t`A payment to a wrong address or network cannot be recovered. After a change, withdrawals are on hold for ${withdrawalRules.waitHours} hours, and you get an email with a link to stop them.`}</Text>
        <BusyButton type="submit" size="lg" fullWidth busy={isBusy} busyLabel={t`Sending`}>{t`Send code`}</BusyButton>
      </Stack>
    </form>
  );
}

type NetworkChoiceProps = {
  value: PayoutNetwork | null;
  problem: string | undefined;
  onChange: (network: PayoutNetwork) => void;
};

/** A coin sent on another network is lost, so each network says its coin and the format of its addresses. */
function NetworkChoice({ value, problem, onChange }: NetworkChoiceProps) {
  const name = useId();
  const problemId = useId();
  return (
    <fieldset
      className={choice.group}
      aria-invalid={problem !== undefined || undefined}
      aria-describedby={problem === undefined ? undefined : problemId}
    >
      <legend className={choice.head}>{t`Network`}</legend>
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
