import { Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { consoleReserves, ReserveNetwork } from '#contract/solvency/reserves.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { CodeField, codeFault } from '../kit/code-field.tsx';
import { DialogForm, REASON_MISSING, sendBy } from '../kit/dialog-form.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';

export const networkLabels: Readonly<Record<ReserveNetwork, string>> = {
  bitcoin: 'Bitcoin (BIP-322)',
  bitcoin_testnet: 'Bitcoin testnet (BIP-322)',
  ethereum: 'Ethereum (EIP-191)',
};

const nothing = {
  network: 'bitcoin',
  address: '',
  amount: '',
  asset: 'BTC',
  message: '',
  signature: '',
  reason: '',
  otp: '',
};
const options = Object.entries(networkLabels).map(([value, label]) => ({ value, label }));

/** A message that was signed elsewhere, with the key of an address. The server verifies it, and another operator publishes it. */
export function ProposeReserve({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const propose = useOperatorMutation(
    (body: BodyInOf<typeof consoleReserves.proposeReserve>) => call(endpoints.consoleReserves.proposeReserve, { body }),
    ['reserves', 'overview'],
  );
  const send = sendBy(propose, onClose, ({ reference }) => [
    'Statement proposed',
    `${reference} needs approval by a second operator.`,
  ]);
  return (
    <DialogForm
      {...{ opened, onClose }}
      title="Propose a statement of reserves"
      size={520}
      initial={nothing}
      check={({ address, amount, asset, message, signature, reason, otp }) => ({
        ...(address === '' && { address: 'Enter the address.' }),
        ...(!/^\d+(\.\d{1,18})?$/.test(amount) && { amount: 'Enter an amount in numbers.' }),
        ...(!/^[A-Z0-9]{2,10}$/.test(asset) && { asset: 'Enter its symbol, such as BTC.' }),
        ...(message === '' && { message: 'Enter the message that was signed.' }),
        ...(signature === '' && { signature: 'Enter the signature.' }),
        ...(reason === '' && { reason: REASON_MISSING }),
        ...codeFault(otp),
      })}
      isBusy={propose.isPending}
      confirm="Propose statement"
      busyLabel="Proposing"
      onSend={({ network, ...values }, onError) => send({ network: network as ReserveNetwork, ...values }, onError)}
    >
      {({ values, set, typed, code }) => (
        <>
          <Select
            label="Network"
            data={options}
            allowDeselect={false}
            value={values.network}
            onChange={(next) => {
              if (next === null) return;
              set('network', next);
              set('asset', next === 'ethereum' ? 'ETH' : 'BTC');
            }}
          />
          <TextInput label="Address" autoComplete="off" spellCheck={false} {...typed('address')} />
          <SimpleGrid cols={2} spacing={12}>
            <TextInput label="Amount" inputMode="decimal" autoComplete="off" {...typed('amount')} />
            <TextInput label="Asset" autoComplete="off" {...typed('asset')} />
          </SimpleGrid>
          <Textarea
            label="Signed message"
            description="Exactly as signed. It must contain its day, such as 2026-03-04."
            rows={3}
            maxLength={1000}
            spellCheck={false}
            {...typed('message')}
            onChange={({ currentTarget }) => set('message', currentTarget.value)}
          />
          <Textarea label="Signature" rows={2} maxLength={1000} spellCheck={false} {...typed('signature')} />
          <TextInput label="Reason" maxLength={300} {...typed('reason')} />
          <CodeField {...code('otp')} />
        </>
      )}
    </DialogForm>
  );
}
