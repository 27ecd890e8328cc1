import { Textarea, TextInput } from '@mantine/core';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { consoleAdjustments } from '#contract/operator/proposals.ts';
import type { WalletType } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { DialogForm, REASON_MISSING, SegmentsField, sendBy } from '../kit/dialog-form.tsx';
import { readSignedAmount } from '../kit/read-signed-amount.ts';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';

const nothing = { member_id: '', wallet_type: 'primary', amount: '', reason: '', evidence: '' };
const wallets = (['primary', 'profit'] as const).map((value) => ({ value, label: walletNames[value] }));

/** Nothing moves until a second operator approves it. */
export function ProposeDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const propose = useOperatorMutation(
    (body: BodyInOf<typeof consoleAdjustments.proposeAdjustment>) =>
      call(endpoints.consoleAdjustments.proposeAdjustment, { body }),
    ['adjustments', 'overview'],
  );
  const send = sendBy(propose, onClose, ({ reference }) => [
    'Adjustment proposed',
    `${reference} needs approval by a second operator.`,
  ]);
  return (
    <DialogForm
      {...{ opened, onClose }}
      title="Propose an adjustment"
      initial={nothing}
      check={({ member_id, amount, reason, evidence }) => ({
        ...(!/^[1-9]\d{0,17}$/.test(member_id) && { member_id: 'Enter the member id, a number.' }),
        ...(readSignedAmount(amount) === undefined && {
          amount: 'Enter an amount other than 0, with a − for a debit.',
        }),
        ...(reason === '' && { reason: REASON_MISSING }),
        ...(evidence === '' && { evidence: 'Enter the evidence.' }),
      })}
      isBusy={propose.isPending}
      confirm="Propose adjustment"
      busyLabel="Proposing"
      onSend={({ wallet_type, amount, ...typed }, onError) =>
        send({ ...typed, wallet_type: wallet_type as WalletType, amount: readSignedAmount(amount) ?? 0 }, onError)
      }
    >
      {({ values, set, typed }) => (
        <>
          <TextInput
            label="Member id"
            description="The number in the address of their page."
            data-autofocus
            inputMode="numeric"
            autoComplete="off"
            {...typed('member_id')}
          />
          <SegmentsField
            label="Wallet"
            options={wallets}
            value={values.wallet_type as WalletType}
            onChange={(wallet) => set('wallet_type', wallet)}
          />
          <TextInput
            label="Amount"
            description="In dollars. A minus sign debits the wallet."
            inputMode="decimal"
            autoComplete="off"
            {...typed('amount')}
          />
          <Textarea label="Reason" description="Visible to the member." rows={2} maxLength={300} {...typed('reason')} />
          <Textarea
            label="Evidence"
            description="For operators only: tickets, transactions, calculations."
            rows={3}
            maxLength={1000}
            {...typed('evidence')}
          />
        </>
      )}
    </DialogForm>
  );
}
