import { Button, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { maxSpreadBps, otpLength } from '#contract/rules.ts';
import { CallError } from '../../../api/call.ts';
import { percentWords } from '../../../entities/income/fee-lines.ts';
import { halfSpreadWords } from '../../../entities/income/spreads.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { CodeEntry } from '../../../ui/forms/code-entry.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import classes from '../../../ui/forms/dialog-form.module.css';
import { toast } from '../../../ui/frame/toast.ts';
import { useSetSpread } from './queries.ts';

type SpreadDialogProps = {
  asset: ConsoleAsset;
  /** What the operator saw when they began; closed without it. */
  version: number | undefined;
  onClose: () => void;
};

/** Sets the spread from the next session on. */
export function SpreadDialog({ asset, version, onClose }: SpreadDialogProps) {
  const setSpread = useSetSpread(asset.symbol);
  const isBusy = setSpread.isPending;
  return (
    <Dialog
      opened={version !== undefined}
      onClose={onClose}
      title={`Change the spread of ${asset.name}`}
      size={440}
      isHeld={isBusy}
    >
      <SpreadForm asset={asset} version={version ?? asset.version} setSpread={setSpread} onClose={onClose} />
    </Dialog>
  );
}

type Values = { spread_bps: string; why: string; otp: string };
const nothing: Values = { spread_bps: '', why: '', otp: '' };

/** Whole basis points as typed, or undefined for what is none that is allowed. */
const readBps = (text: string): number | undefined =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) <= maxSpreadBps ? Number(text) : undefined;

function SpreadForm({
  asset,
  version,
  setSpread,
  onClose,
}: Pick<SpreadDialogProps, 'asset' | 'onClose'> & {
  version: number;
  setSpread: ReturnType<typeof useSetSpread>;
}) {
  const firstCell = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState(nothing);
  const [faults, setFaults] = useState<Partial<Values>>({});
  const isBusy = setSpread.isPending;
  const bps = readBps(values.spread_bps);
  const set = (field: keyof Values, value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
    setFaults(({ [field]: _, ...others }) => others);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const missing: Partial<Values> = {
      ...(bps === undefined && { spread_bps: `Whole basis points from 0 to ${maxSpreadBps}.` }),
      ...(values.why.trim() === '' && { why: 'Say why.' }),
      ...(values.otp.length !== otpLength && { otp: `The code has ${otpLength} digits.` }),
    };
    setFaults(missing);
    if (bps === undefined || Object.keys(missing).length > 0) return;
    setSpread.mutate(
      { version, spread_bps: bps, why: values.why.trim(), otp: values.otp },
      {
        onSuccess: () => {
          toast.success(`${percentWords(bps)} from the next session`, asset.name);
          onClose();
        },
        onError: (error) => {
          if (!(error instanceof CallError)) return;
          if (error.status === 409) return onClose();
          setFaults(error.fields);
          if (error.fields.otp === undefined) return;
          setValues((before) => ({ ...before, otp: '' }));
          firstCell.current?.focus();
        },
      },
    );
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.words}>
        {percentWords(asset.spread_bps)} is in force and stays until the next session opens, for every trade of the
        session before.
      </div>
      <TextInput
        label="Spread in basis points"
        description={
          bps === undefined
            ? '10 is 0.10%, half of it on each side of the market price.'
            : `${percentWords(bps)}: ${halfSpreadWords(bps)} when buying, ${halfSpreadWords(bps)} when selling.`
        }
        data-autofocus
        inputMode="numeric"
        autoComplete="off"
        readOnly={isBusy}
        value={values.spread_bps}
        error={faults.spread_bps}
        onChange={(event) => set('spread_bps', event.currentTarget.value)}
      />
      <Textarea
        label="Reason"
        description="Operators read it."
        rows={2}
        maxLength={300}
        readOnly={isBusy}
        value={values.why}
        error={faults.why}
        onChange={(event) => set('why', event.currentTarget.value.replaceAll('\n', ' '))}
      />
      <CodeEntry
        label="Code of your authenticator app"
        firstCell={firstCell}
        value={values.otp}
        problem={faults.otp}
        readOnly={isBusy}
        onChange={(otp) => set('otp', otp)}
      />
      <div className={classes.actions}>
        <Button variant="subtle" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={isBusy} busyLabel="Saving">
          Change spread
        </BusyButton>
      </div>
    </form>
  );
}
