import { TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import classes from './address.module.css';
import { GroupedAddress } from './grouped-address.tsx';
import { NetworkChoice } from './network-choice.tsx';
import type { Destination } from './requested-state.ts';

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
    <form className={classes.form} onSubmit={submit} noValidate>
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
        <div>
          <div className={classes.label}>Compare it with your wallet, group by group</div>
          <div className={classes.box}>
            <GroupedAddress address={address} />
          </div>
        </div>
      )}
      <p className={classes.note}>
        What is sent to a wrong address or over a wrong network cannot be brought back. After the change withdrawals
        wait {withdrawalRules.waitHours} hours, and you get a mail with which you can stop them.
      </p>
      <BusyButton type="submit" size="lg" fullWidth busy={isBusy} busyLabel="Sending">
        Send me a code
      </BusyButton>
    </form>
  );
}
