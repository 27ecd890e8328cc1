import { Textarea, TextInput } from '@mantine/core';
import { consoleLimits } from '#contract/endpoints.ts';
import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { call } from '../../../api/call.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { REASON_MISSING, readSignedAmount, SendDialog, toApprove } from '../kit/dialog-form.tsx';

/** `$50,000.00`, or `None`. */
export const limitText = (dollars: number | null): string => (dollars === null ? 'None' : formatMoney(dollars, 2));

/** Dollars as typed; null for an empty field, undefined for anything but an amount above 0. */
function readLimit(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const amount = readSignedAmount(text);
  return amount !== undefined && amount > 0 ? amount : undefined;
}

const typedOf = (dollars: number | null): string => dollars?.toString() ?? '';
const errorOf = (text: string) => (readLimit(text) === undefined ? 'Enter an amount above 0, or nothing.' : undefined);

/** Proposes size limits of an asset; a second operator approves them. */
export function LimitsDialog({
  asset,
  opened,
  onClose,
}: {
  asset: ConsoleAsset;
  opened: boolean;
  onClose: () => void;
}) {
  const { limits, symbol, name } = asset;
  return (
    <SendDialog
      {...{ opened, onClose }}
      title={`Propose limits of ${name}`}
      initial={{
        trade: typedOf(limits.trade),
        member: typedOf(limits.member),
        all: typedOf(limits.all),
        reason: '',
      }}
      check={({ trade, member, all, reason }) => ({
        trade: errorOf(trade),
        member: errorOf(member),
        all: errorOf(all),
        ...(reason === '' && { reason: REASON_MISSING }),
      })}
      confirm="Propose limits"
      busyLabel="Proposing"
      send={({ reason, ...typed }) => {
        const [trade = null, member = null, all = null] = [typed.trade, typed.member, typed.all].map(readLimit);
        return call(consoleLimits.proposeLimits, {
          body: { symbol, version: limits.version, trade, member, all, reason },
        });
      }}
      refreshes={['assets', 'asset-limits', 'overview']}
      done={toApprove('Limits proposed')}
      isStale={({ code }) => code === 'limits_changed'}
    >
      {({ typed, amount }) => (
        <>
          <TextInput label="Largest trade" description="Dollars. Empty: no limit." {...amount('trade')} />
          <TextInput label="One member" description="Queued and open trades of one member." {...amount('member')} />
          <TextInput label="All members" description="Queued and open trades of all members." {...amount('all')} />
          <Textarea label="Reason" description="Visible to operators." rows={2} maxLength={300} {...typed('reason')} />
        </>
      )}
    </SendDialog>
  );
}
