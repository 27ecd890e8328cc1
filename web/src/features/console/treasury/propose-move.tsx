import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { RevenueAccount, TreasuryKind } from '#contract/operator/proposals.ts';
import { CallError } from '../../../api/call.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import { Segments } from '../../../ui/forms/segments.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import classes from '../kit/decision-dialog.module.css';
import { readSignedAmount } from '../kit/read-signed-amount.ts';
import { kindWords, sourceWords } from './labels.ts';
import { usePropose } from './queries.ts';

type ProposeMoveProps = { opened: boolean; onClose: () => void };

/** Records a payment of the house's money that was made outside; it is booked by a second operator. */
export function ProposeMove({ opened, onClose }: ProposeMoveProps) {
  const propose = usePropose();
  return (
    <Dialog opened={opened} onClose={onClose} title="Record a move" size={440} isHeld={propose.isPending}>
      <MoveForm propose={propose} onClose={onClose} />
    </Dialog>
  );
}

type Values = { amount: string; reason: string; transaction: string };
const nothing: Values = { amount: '', reason: '', transaction: '' };
const optionsOf = <T extends string>(words: Record<T, string>) =>
  (Object.keys(words) as T[]).map((value) => ({ value, label: words[value] }));

function MoveForm({ propose, onClose }: { propose: ReturnType<typeof usePropose>; onClose: () => void }) {
  const [kind, setKind] = useState<TreasuryKind>('venue_fund');
  const [source, setSource] = useState<RevenueAccount>('fee_revenue');
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
    const isAmount = amount !== undefined && amount > 0;
    const missing: Partial<Values> = {
      ...(!isAmount && { amount: 'Enter an amount above 0.' }),
      ...(values.reason.trim() === '' && { reason: 'Say why.' }),
      ...(values.transaction.trim() === '' && { transaction: 'Enter the transaction hash.' }),
    };
    setFaults(missing);
    if (!isAmount || Object.keys(missing).length > 0) return;
    const move = { amount, reason: values.reason.trim(), transaction: values.transaction.trim() };
    propose.mutate(kind === 'revenue_out' ? { kind, source, ...move } : { kind, ...move }, {
      onSuccess: ({ reference }) => {
        toast.success('Recorded', `${reference} waits for a second operator.`);
        onClose();
      },
      onError: (error) => error instanceof CallError && setFaults(error.fields),
    });
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Select
        label="Move"
        data={optionsOf(kindWords)}
        allowDeselect={false}
        value={kind}
        onChange={(next) => next && setKind(next as TreasuryKind)}
      />
      {kind === 'revenue_out' && (
        <div>
          <div className={classes.label} aria-hidden="true">
            Out of
          </div>
          <Segments label="Out of" options={optionsOf(sourceWords)} value={source} onChange={setSource} fullWidth />
        </div>
      )}
      <TextInput
        label="Amount"
        inputMode="decimal"
        autoComplete="off"
        value={values.amount}
        error={faults.amount}
        onChange={set('amount')}
      />
      <Textarea
        label="Reason"
        rows={2}
        maxLength={300}
        value={values.reason}
        error={faults.reason}
        onChange={set('reason')}
      />
      <TextInput
        label="Transaction hash"
        description="Of the payment outside."
        autoComplete="off"
        spellCheck={false}
        value={values.transaction}
        error={faults.transaction}
        onChange={set('transaction')}
      />
      <div className={classes.actions}>
        <Button variant="subtle" disabled={propose.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={propose.isPending} busyLabel="Recording">
          Record it
        </BusyButton>
      </div>
    </form>
  );
}
