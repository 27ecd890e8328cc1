import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type WalletType, walletTypes } from '#contract/rules.ts';
import { CallError } from '../../../api/call.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import { Segments } from '../../../ui/forms/segments.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import classes from '../kit/decision-dialog.module.css';
import { readSignedAmount } from '../kit/read-signed-amount.ts';
import { usePropose } from './queries.ts';

type ProposeDialogProps = { opened: boolean; onClose: () => void };

/** Proposes a correction; nothing moves until a second operator approves it. */
export function ProposeDialog({ opened, onClose }: ProposeDialogProps) {
  const propose = usePropose();
  return (
    <Dialog opened={opened} onClose={onClose} title="Propose a correction" size={440} isHeld={propose.isPending}>
      <ProposeForm propose={propose} onClose={onClose} />
    </Dialog>
  );
}

type Values = { member_id: string; amount: string; reason: string; evidence: string };
const nothing: Values = { member_id: '', amount: '', reason: '', evidence: '' };
const wallets = [
  { value: walletTypes[0], label: 'Primary Wallet' },
  { value: walletTypes[1], label: 'Profit Wallet' },
];

function ProposeForm({ propose, onClose }: { propose: ReturnType<typeof usePropose>; onClose: () => void }) {
  const [wallet, setWallet] = useState<WalletType>('primary');
  const [values, setValues] = useState(nothing);
  const [faults, setFaults] = useState<Partial<Values>>({});
  const set = (field: keyof Values) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setValues((before) => ({ ...before, [field]: value.replaceAll('\n', ' ') }));
    setFaults(({ [field]: _, ...others }) => others);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (propose.isPending) return;
    const amount = readSignedAmount(values.amount);
    const missing: Partial<Values> = {
      ...(!/^[1-9]\d{0,17}$/.test(values.member_id.trim()) && { member_id: 'Enter the id of the member, a number.' }),
      ...(amount === undefined && { amount: 'Enter an amount that is not 0, with a − to take it out.' }),
      ...(values.reason.trim() === '' && { reason: 'Say why.' }),
      ...(values.evidence.trim() === '' && { evidence: 'Say where the facts are.' }),
    };
    setFaults(missing);
    if (amount === undefined || Object.keys(missing).length > 0) return;
    propose.mutate(
      {
        member_id: values.member_id.trim(),
        wallet_type: wallet,
        amount,
        reason: values.reason.trim(),
        evidence: values.evidence.trim(),
      },
      {
        onSuccess: ({ reference }) => {
          toast.success('Proposed', `${reference} waits for a second operator.`);
          onClose();
        },
        onError: (error) => error instanceof CallError && setFaults(error.fields),
      },
    );
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="Member, by id"
        description="It stands in the address of their page."
        data-autofocus
        inputMode="numeric"
        autoComplete="off"
        value={values.member_id}
        error={faults.member_id}
        onChange={set('member_id')}
      />
      <div>
        <div className={classes.label} aria-hidden="true">
          Wallet
        </div>
        <Segments label="Wallet" options={wallets} value={wallet} onChange={setWallet} fullWidth />
      </div>
      <TextInput
        label="Amount"
        description="With a minus it is taken out of the wallet."
        inputMode="decimal"
        autoComplete="off"
        value={values.amount}
        error={faults.amount}
        onChange={set('amount')}
      />
      <Textarea
        label="Reason"
        description="The member reads it."
        rows={2}
        maxLength={300}
        value={values.reason}
        error={faults.reason}
        onChange={set('reason')}
      />
      <Textarea
        label="Where the facts are"
        description="For operators: tickets, transactions, calculations."
        rows={3}
        maxLength={1000}
        value={values.evidence}
        error={faults.evidence}
        onChange={set('evidence')}
      />
      <div className={classes.actions}>
        <Button variant="subtle" disabled={propose.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={propose.isPending} busyLabel="Proposing">
          Propose
        </BusyButton>
      </div>
    </form>
  );
}
