import { Textarea, TextInput } from '@mantine/core';
import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { maxSpreadBps, otpLength } from '#contract/rules.ts';
import { CallError } from '../../../api/call.ts';
import { percentWords } from '../../../entities/income/fee-lines.ts';
import { halfSpreadWords } from '../../../entities/income/spreads.ts';
import classes from '../../../ui/forms/dialog-form.module.css';
import { toast } from '../../../ui/frame/toast.ts';
import { CODE_MISSING, CodeField, DialogForm } from '../kit/dialog-form.tsx';
import { useSetSpread } from './queries.ts';

type SpreadDialogProps = {
  asset: ConsoleAsset;
  /** What the operator saw when they began; closed without it. */
  version: number | undefined;
  onClose: () => void;
};

const nothing = { spread_bps: '', why: '', otp: '' };

/** Whole basis points as typed, or undefined for what is none that is allowed. */
const readBps = (text: string): number | undefined =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) <= maxSpreadBps ? Number(text) : undefined;

/** Sets the spread from the next session on. */
export function SpreadDialog({ asset, version, onClose }: SpreadDialogProps) {
  const setSpread = useSetSpread(asset.symbol);
  return (
    <DialogForm
      opened={version !== undefined}
      onClose={onClose}
      title={`Change the spread of ${asset.name}`}
      initial={nothing}
      check={({ spread_bps, why, otp }) => ({
        ...(readBps(spread_bps) === undefined && { spread_bps: `Whole basis points from 0 to ${maxSpreadBps}.` }),
        ...(why === '' && { why: 'Say why.' }),
        ...(otp.length !== otpLength && { otp: CODE_MISSING }),
      })}
      isBusy={setSpread.isPending}
      confirm="Change spread"
      busyLabel="Saving"
      onSend={({ spread_bps, ...typed }, onError) => {
        const bps = readBps(spread_bps) ?? 0;
        setSpread.mutate(
          { version: version ?? asset.version, spread_bps: bps, ...typed },
          {
            onSuccess: () => {
              toast.success(`${percentWords(bps)} from the next session`, asset.name);
              onClose();
            },
            onError: (error) => (error instanceof CallError && error.status === 409 ? onClose() : onError(error)),
          },
        );
      }}
    >
      {({ values, typed, code }) => (
        <>
          <div className={classes.words}>
            {percentWords(asset.spread_bps)} is in force and stays until the next session opens, for every trade of the
            session before.
          </div>
          <TextInput
            label="Spread in basis points"
            description={spreadWords(readBps(values.spread_bps))}
            data-autofocus
            inputMode="numeric"
            autoComplete="off"
            {...typed('spread_bps')}
          />
          <Textarea label="Reason" description="Operators read it." rows={2} maxLength={300} {...typed('why')} />
          <CodeField {...code('otp')} />
        </>
      )}
    </DialogForm>
  );
}

const spreadWords = (bps: number | undefined): string =>
  bps === undefined
    ? '10 is 0.10%, half of it on each side of the market price.'
    : `${percentWords(bps)}: ${halfSpreadWords(bps)} when buying, ${halfSpreadWords(bps)} when selling.`;
