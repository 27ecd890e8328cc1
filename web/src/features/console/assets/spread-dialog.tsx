import { Textarea, TextInput } from '@mantine/core';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { ConsoleAsset, consoleAssets } from '#contract/operator/assets.ts';
import { maxSpreadBps } from '#contract/rules.ts';
import { CallError, call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { percentWords } from '../../../entities/income/fee-lines.ts';
import { halfSpreadWords } from '../../../entities/income/spreads.ts';
import classes from '../../../ui/forms/dialog-form.module.css';
import { CodeField, codeFault } from '../kit/code-field.tsx';
import { DialogForm, REASON_MISSING, sendBy } from '../kit/dialog-form.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';

type SpreadDialogProps = {
  asset: ConsoleAsset;
  /** The one that the operator saw; closed while undefined. */
  version: number | undefined;
  onClose: () => void;
};

const nothing = { spread_bps: '', why: '', otp: '' };

/** Whole basis points as typed; undefined when they are not allowed. */
const readBps = (text: string): number | undefined =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) <= maxSpreadBps ? Number(text) : undefined;

/** Sets the spread from the next session. */
export function SpreadDialog({ asset, version, onClose }: SpreadDialogProps) {
  const setSpread = useOperatorMutation(
    (body: BodyInOf<typeof consoleAssets.changeSpread>) =>
      call(endpoints.consoleAssets.changeSpread, { params: { symbol: asset.symbol }, body }),
    ['assets', ['market']],
  );
  const send = sendBy(setSpread, onClose, ({ next_spread: next }) => [
    next ? `${percentWords(next.spread_bps)} from the next session` : 'Spread saved',
    asset.name,
  ]);
  return (
    <DialogForm
      opened={version !== undefined}
      onClose={onClose}
      title={`Change the spread of ${asset.name}`}
      initial={nothing}
      check={({ spread_bps, why, otp }) => ({
        ...(readBps(spread_bps) === undefined && { spread_bps: `Enter whole basis points from 0 to ${maxSpreadBps}.` }),
        ...(why === '' && { why: REASON_MISSING }),
        ...codeFault(otp),
      })}
      isBusy={setSpread.isPending}
      confirm="Change spread"
      busyLabel="Saving"
      onSend={({ spread_bps, ...typed }, onError) =>
        send({ version: version ?? asset.version, spread_bps: readBps(spread_bps) ?? 0, ...typed }, (error) =>
          // The dialog began with a version that another operator has changed.
          error instanceof CallError && error.status === 409 ? onClose() : onError(error),
        )
      }
    >
      {({ values, typed, code }) => (
        <>
          <div className={classes.words}>
            The current spread of {percentWords(asset.spread_bps)} applies to all trades until the next session opens.
          </div>
          <TextInput
            label="Spread in basis points"
            description={spreadWords(readBps(values.spread_bps))}
            data-autofocus
            inputMode="numeric"
            autoComplete="off"
            {...typed('spread_bps')}
          />
          <Textarea label="Reason" description="Visible to operators." rows={2} maxLength={300} {...typed('why')} />
          <CodeField {...code('otp')} />
        </>
      )}
    </DialogForm>
  );
}

const spreadWords = (bps: number | undefined): string =>
  bps === undefined
    ? '10 is 0.10%, half on each side of the market price.'
    : `${percentWords(bps)}: ${halfSpreadWords(bps)} when buying, ${halfSpreadWords(bps)} when selling.`;
