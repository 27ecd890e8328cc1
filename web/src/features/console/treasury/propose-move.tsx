import { Select, Textarea, TextInput } from '@mantine/core';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { consoleTreasury, RevenueAccount, TreasuryKind } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { toast } from '../../../ui/frame/toast.ts';
import { useChange } from '../kit/approvals.ts';
import { DialogForm, SegmentsField } from '../kit/dialog-form.tsx';
import { readSignedAmount } from '../kit/read-signed-amount.ts';

/**
 * The moves of docs/product.md, section 2: between gateway and venue, capital of the owner, revenue that is taken out.
 */
export const kindWords: Record<TreasuryKind, string> = {
  venue_fund: 'Gateway to venue',
  venue_return: 'Venue to gateway',
  capital_in: 'Capital paid in',
  revenue_out: 'Revenue taken out',
};

export const sourceWords: Record<RevenueAccount, string> = {
  fee_revenue: 'Fee revenue',
  withdrawal_fees: 'Withdrawal fees',
};

const nothing = { kind: 'venue_fund', source: 'fee_revenue', amount: '', reason: '', transaction: '' };
const optionsOf = <T extends string>(words: Record<T, string>) =>
  (Object.keys(words) as T[]).map((value) => ({ value, label: words[value] }));

/** Records a payment of the house's money that was made outside; it is booked by a second operator. */
export function ProposeMove({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const propose = useChange({ key: 'treasury' }, (body: BodyInOf<typeof consoleTreasury.proposeTreasuryMove>) =>
    call(endpoints.consoleTreasury.proposeTreasuryMove, { body }),
  );
  return (
    <DialogForm
      {...{ opened, onClose }}
      title="Record a move"
      initial={nothing}
      check={({ amount, reason, transaction }) => ({
        ...(!((readSignedAmount(amount) ?? 0) > 0) && { amount: 'Enter an amount above 0.' }),
        ...(reason === '' && { reason: 'Say why.' }),
        ...(transaction === '' && { transaction: 'Enter the transaction hash.' }),
      })}
      isBusy={propose.isPending}
      confirm="Record it"
      busyLabel="Recording"
      onSend={({ kind: asked, source: from, amount, reason, transaction }, onError) => {
        const [kind, source] = [asked as TreasuryKind, from as RevenueAccount];
        const move = { amount: readSignedAmount(amount) ?? 0, reason, transaction };
        propose.mutate(kind === 'revenue_out' ? { kind, source, ...move } : { kind, ...move }, {
          onSuccess: ({ reference }) => {
            toast.success('Recorded', `${reference} waits for a second operator.`);
            onClose();
          },
          onError,
        });
      }}
    >
      {({ values, set, typed }) => (
        <>
          <Select
            label="Move"
            data={optionsOf(kindWords)}
            allowDeselect={false}
            value={values.kind}
            onChange={(next) => next && set('kind', next)}
          />
          {values.kind === 'revenue_out' && (
            <SegmentsField
              label="Out of"
              options={optionsOf(sourceWords)}
              value={values.source as RevenueAccount}
              onChange={(source) => set('source', source)}
            />
          )}
          <TextInput label="Amount" inputMode="decimal" autoComplete="off" {...typed('amount')} />
          <Textarea label="Reason" rows={2} maxLength={300} {...typed('reason')} />
          <TextInput
            label="Transaction hash"
            description="Of the payment outside."
            autoComplete="off"
            spellCheck={false}
            {...typed('transaction')}
          />
        </>
      )}
    </DialogForm>
  );
}
