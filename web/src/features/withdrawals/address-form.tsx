import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { NetworkChoice } from '../../entities/network/network-choice.tsx';
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
          label={t`Network`}
          options={networks}
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
