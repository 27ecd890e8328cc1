import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { consoleTreasury, RevenueAccount, TreasuryKind } from '#contract/operator/proposals.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { pollEvery } from '../../../api/poll.ts';
import { DialogForm, REASON_MISSING, SegmentsField, sendBy } from '../kit/dialog-form.tsx';
import { readSignedAmount } from '../kit/read-signed-amount.ts';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';

/** Between gateway and venue, capital of the owner, revenue that is withdrawn, Bitcoin that is sold (docs/product.md, section 2). */
export const kindLabels: Record<TreasuryKind, string> = {
  venue_fund: 'Gateway to venue',
  venue_return: 'Venue to gateway',
  capital_in: 'Capital contribution',
  revenue_out: 'Revenue withdrawal',
  coin_sale: 'Bitcoin sale',
};

export const sourceLabels: Record<RevenueAccount, string> = {
  fee_revenue: 'Fee revenue',
  withdrawal_fees: 'Withdrawal fees',
};

const TREASURY_POLL_MS = 15_000;

export const treasuryQuery = queryOptions({
  queryKey: ['operator', 'treasury', 'state'],
  queryFn: ({ signal }) => call(endpoints.consoleTreasury.getTreasury, { signal }),
  refetchInterval: pollEvery(TREASURY_POLL_MS),
});

const ABOVE_ZERO = 'Enter an amount above 0.';
const isAmount = (text: string) => (readSignedAmount(text) ?? 0) > 0;

const nothing = {
  kind: 'venue_fund',
  source: 'fee_revenue',
  amount: '',
  units: '',
  limit_price: '',
  reason: '',
  transaction: '',
};
const optionsOf = <T extends string>(labels: Record<T, string>) =>
  (Object.keys(labels) as T[]).map((value) => ({ value, label: labels[value] }));

type Props = {
  readonly opened: boolean;
  readonly onClose: () => void;
};

/** Records a payment of company funds that was made outside; a second operator posts it, or has the exchange sell. */
export function ProposeMove({ opened, onClose }: Props) {
  const { data } = useQuery(treasuryQuery);
  const hasCoins = data !== undefined && data.gateway_coins.length > 0;
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
      check={({ kind, amount, units, limit_price, reason, transaction }) => ({
        ...(kind !== 'coin_sale' && !isAmount(amount) && { amount: ABOVE_ZERO }),
        ...(kind === 'coin_sale' && !(Number(units) > 0) && { units: ABOVE_ZERO }),
        ...(kind === 'coin_sale' && !isAmount(limit_price) && { limit_price: ABOVE_ZERO }),
        ...(reason === '' && { reason: REASON_MISSING }),
        ...(transaction === '' && { transaction: 'Enter the transaction hash.' }),
      })}
      isBusy={propose.isPending}
      confirm="Record move"
      busyLabel="Recording"
      onSend={(
        { kind: chosen, source: from, amount: dollars, units, limit_price: least, reason, transaction },
        onError,
      ) => {
        const [kind, source] = [chosen as TreasuryKind, from as RevenueAccount];
        const about = { reason, transaction };
        const amount = readSignedAmount(dollars) ?? 0;
        if (kind === 'coin_sale') send({ kind, units, limit_price: readSignedAmount(least) ?? 0, ...about }, onError);
        else if (kind === 'revenue_out') send({ kind, source, amount, ...about }, onError);
        else send({ kind, amount, ...about }, onError);
      }}
    >
      {({ values, set, typed }) => (
        <>
          <Select
            label="Move"
            data={optionsOf(kindLabels).filter(({ value }) => hasCoins || value !== 'coin_sale')}
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
          {values.kind === 'coin_sale' ? (
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <TextInput label="Bitcoin" inputMode="decimal" autoComplete="off" {...typed('units')} />
              <TextInput label="Lowest price" inputMode="decimal" autoComplete="off" {...typed('limit_price')} />
            </SimpleGrid>
          ) : (
            <TextInput label="Amount" inputMode="decimal" autoComplete="off" {...typed('amount')} />
          )}
          <Textarea label="Reason" rows={2} maxLength={300} {...typed('reason')} />
          <TextInput
            label="Transaction hash"
            description={
              values.kind === 'coin_sale' ? 'Of the Bitcoin sent to the exchange.' : 'Of the external payment.'
            }
            autoComplete="off"
            spellCheck={false}
            {...typed('transaction')}
          />
        </>
      )}
    </DialogForm>
  );
}
