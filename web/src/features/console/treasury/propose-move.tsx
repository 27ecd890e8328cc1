import { Select, Textarea, TextInput } from '@mantine/core';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { consoleTreasury, RevenueAccount, TreasuryKind } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { DialogForm, REASON_MISSING, SegmentsField, sendBy } from '../kit/dialog-form.tsx';
import { readSignedAmount } from '../kit/read-signed-amount.ts';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';

/** Between gateway and venue, capital of the owner, revenue that is withdrawn (docs/product.md, section 2). */
export const kindLabels: Record<TreasuryKind, string> = {
  venue_fund: 'Gateway to venue',
  venue_return: 'Venue to gateway',
  capital_in: 'Capital contribution',
  revenue_out: 'Revenue withdrawal',
};

export const sourceLabels: Record<RevenueAccount, string> = {
  fee_revenue: 'Fee revenue',
  withdrawal_fees: 'Withdrawal fees',
};

const nothing = { kind: 'venue_fund', source: 'fee_revenue', amount: '', reason: '', transaction: '' };
const optionsOf = <T extends string>(labels: Record<T, string>) =>
  (Object.keys(labels) as T[]).map((value) => ({ value, label: labels[value] }));

/** Records a payment of company funds that was made outside; a second operator posts it. */
export function ProposeMove({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const propose = useOperatorMutation(
    (body: BodyInOf<typeof consoleTreasury.proposeTreasuryMove>) =>
      call(endpoints.consoleTreasury.proposeTreasuryMove, { body }),
    ['treasury', 'overview'],
  );
  const send = sendBy(propose, onClose, ({ reference }) => [
    'Move recorded',
    `${reference} needs approval by a second operator.`,
  ]);
  return (
    <DialogForm
      {...{ opened, onClose }}
      title="Record a treasury move"
      initial={nothing}
      check={({ amount, reason, transaction }) => ({
        ...(!((readSignedAmount(amount) ?? 0) > 0) && { amount: 'Enter an amount above 0.' }),
        ...(reason === '' && { reason: REASON_MISSING }),
        ...(transaction === '' && { transaction: 'Enter the transaction hash.' }),
      })}
      isBusy={propose.isPending}
      confirm="Record move"
      busyLabel="Recording"
      onSend={({ kind: chosen, source: from, amount, reason, transaction }, onError) => {
        const [kind, source] = [chosen as TreasuryKind, from as RevenueAccount];
        const move = { amount: readSignedAmount(amount) ?? 0, reason, transaction };
        send(kind === 'revenue_out' ? { kind, source, ...move } : { kind, ...move }, onError);
      }}
    >
      {({ values, set, typed }) => (
        <>
          <Select
            label="Move"
            data={optionsOf(kindLabels)}
            allowDeselect={false}
            value={values.kind}
            onChange={(next) => next && set('kind', next)}
          />
          {values.kind === 'revenue_out' && (
            <SegmentsField
              label="From account"
              options={optionsOf(sourceLabels)}
              value={values.source as RevenueAccount}
              onChange={(source) => set('source', source)}
            />
          )}
          <TextInput label="Amount" inputMode="decimal" autoComplete="off" {...typed('amount')} />
          <Textarea label="Reason" rows={2} maxLength={300} {...typed('reason')} />
          <TextInput
            label="Transaction hash"
            description="Of the external payment."
            autoComplete="off"
            spellCheck={false}
            {...typed('transaction')}
          />
        </>
      )}
    </DialogForm>
  );
}
