import { Checkbox, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { consoleVenueFills, UnsoldAsset } from '#contract/operator/venue-fills.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { DialogForm, REASON_MISSING, sendBy } from '../kit/dialog-form.tsx';
import { readSignedAmount } from '../kit/read-signed-amount.ts';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { isFarFromMark, markWords } from './mark-words.ts';

type RecordSaleProps = { opened: boolean; onClose: () => void; unsold: readonly UnsoldAsset[] };

const nothing = { quantity: '', cost: '', fee: '0', where: '', transaction: '', reason: '', far: '' };
const keyOf = ({ day, symbol }: UnsoldAsset) => `${symbol} ${day}`;
const NO_PRICE = { price: '', isFar: false };

/** Coins that were sold elsewhere; a second operator books them. */
export function RecordSale({ opened, onClose, unsold }: RecordSaleProps) {
  const propose = useOperatorMutation(
    (body: BodyInOf<typeof consoleVenueFills.proposeVenueFill>) =>
      call(endpoints.consoleVenueFills.proposeVenueFill, { body }),
    ['venue_fills', 'overview'],
  );
  const send = sendBy(propose, onClose, ({ reference }) => [
    'Sale recorded',
    `${reference} needs approval by a second operator.`,
  ]);
  const assetOf = (key: string) => unsold.find((one) => keyOf(one) === key);
  /** Dollars a coin, once they can be told. */
  const priceOf = ({ asset, quantity, cost, fee }: { asset: string; quantity: string; cost: string; fee: string }) => {
    const price = ((readSignedAmount(cost) ?? 0) - (readSignedAmount(fee) ?? 0)) / Number(quantity);
    if (!Number.isFinite(price) || price <= 0) return NO_PRICE;
    return { price: String(price), isFar: isFarFromMark(price, assetOf(asset)?.mark ?? null) };
  };
  return (
    <DialogForm
      {...{ opened, onClose }}
      title="Record a sale made elsewhere"
      size={480}
      initial={{ ...nothing, asset: unsold[0] === undefined ? '' : keyOf(unsold[0]) }}
      check={(values) => ({
        ...(!/^\d{1,15}(\.\d{1,12})?$/.test(values.quantity) && { quantity: 'Enter coins in numbers.' }),
        ...(!((readSignedAmount(values.cost) ?? 0) > 0) && { cost: 'Enter an amount above 0.' }),
        ...(!/^[\d.,]+$/.test(values.fee) && { fee: 'Enter the fee, or 0.' }),
        ...(values.where === '' && { where: 'Say where they were sold.' }),
        ...(values.transaction === '' && { transaction: 'Enter the reference.' }),
        ...(values.reason === '' && { reason: REASON_MISSING }),
        ...(priceOf(values).isFar && values.far === '' && { far: 'Check the price.' }),
      })}
      isBusy={propose.isPending}
      confirm="Record sale"
      busyLabel="Recording"
      onSend={({ asset, quantity, cost, fee, where, transaction, reason, far }, onError) => {
        const sold = assetOf(asset);
        if (sold === undefined) return;
        const amounts = { cost: readSignedAmount(cost) ?? 0, fee: readSignedAmount(fee) ?? 0 };
        const { day, symbol } = sold;
        send({ day, symbol, quantity, ...amounts, where, transaction, reason, far_from_mark: far !== '' }, onError);
      }}
    >
      {({ values, set, typed }) => {
        const { price, isFar } = priceOf(values);
        const sold = assetOf(values.asset);
        return (
          <>
            <Select
              label="Asset"
              data={unsold.map((one) => ({
                value: keyOf(one),
                label: `${one.symbol.toUpperCase()}, session of ${one.day}`,
              }))}
              allowDeselect={false}
              value={values.asset}
              onChange={(next) => next && set('asset', next)}
            />
            <TextInput
              label="Coins sold"
              description={sold && `${sold.quantity} are left to sell, ${sold.held} held.`}
              inputMode="decimal"
              autoComplete="off"
              {...typed('quantity')}
            />
            <SimpleGrid cols={2} spacing={12}>
              <TextInput label="Dollars received" inputMode="decimal" autoComplete="off" {...typed('cost')} />
              <TextInput label="Fee in it" inputMode="decimal" autoComplete="off" {...typed('fee')} />
            </SimpleGrid>
            {isFar && (
              <Checkbox
                label="The price is right"
                description={markWords(price, sold?.mark ?? null)}
                error={typed('far').error}
                checked={values.far !== ''}
                onChange={({ currentTarget }) => set('far', currentTarget.checked ? 'yes' : '')}
              />
            )}
            <TextInput label="Where" maxLength={100} autoComplete="off" {...typed('where')} />
            <TextInput
              label="Reference"
              description="Of the trade or payment there."
              autoComplete="off"
              spellCheck={false}
              {...typed('transaction')}
            />
            <TextInput label="Reason" maxLength={300} {...typed('reason')} />
          </>
        );
      }}
    </DialogForm>
  );
}
