import { Textarea, TextInput } from '@mantine/core';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { consoleAdjustments } from '#contract/operator/proposals.ts';
import type { WalletType } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { toast } from '../../../ui/frame/toast.ts';
import { useChange } from '../kit/approvals.ts';
import { DialogForm, SegmentsField } from '../kit/dialog-form.tsx';
import { readSignedAmount } from '../kit/read-signed-amount.ts';

const nothing = { member_id: '', wallet_type: 'primary', amount: '', reason: '', evidence: '' };
const wallets = [
  { value: 'primary', label: 'Primary Wallet' },
  { value: 'profit', label: 'Profit Wallet' },
] as const satisfies { value: WalletType; label: string }[];

/** Proposes a correction; nothing moves until a second operator approves it. */
export function ProposeDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const propose = useChange({ key: 'adjustments' }, (body: BodyInOf<typeof consoleAdjustments.proposeAdjustment>) =>
    call(endpoints.consoleAdjustments.proposeAdjustment, { body }),
  );
  return (
    <DialogForm
      {...{ opened, onClose }}
      title="Propose a correction"
      initial={nothing}
      check={({ member_id, amount, reason, evidence }) => ({
        ...(!/^[1-9]\d{0,17}$/.test(member_id) && { member_id: 'Enter the id of the member, a number.' }),
        ...(readSignedAmount(amount) === undefined && {
          amount: 'Enter an amount that is not 0, with a − to take it out.',
        }),
        ...(reason === '' && { reason: 'Say why.' }),
        ...(evidence === '' && { evidence: 'Say where the facts are.' }),
      })}
      isBusy={propose.isPending}
      confirm="Propose"
      busyLabel="Proposing"
      onSend={({ wallet_type, amount, ...typed }, onError) =>
        propose.mutate(
          { ...typed, wallet_type: wallet_type as WalletType, amount: readSignedAmount(amount) ?? 0 },
          {
            onSuccess: ({ reference }) => {
              toast.success('Proposed', `${reference} waits for a second operator.`);
              onClose();
            },
            onError,
          },
        )
      }
    >
      {({ values, set, typed }) => (
        <>
          <TextInput
            label="Member, by id"
            description="It stands in the address of their page."
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
            description="With a minus it is taken out of the wallet."
            inputMode="decimal"
            autoComplete="off"
            {...typed('amount')}
          />
          <Textarea label="Reason" description="The member reads it." rows={2} maxLength={300} {...typed('reason')} />
          <Textarea
            label="Where the facts are"
            description="For operators: tickets, transactions, calculations."
            rows={3}
            maxLength={1000}
            {...typed('evidence')}
          />
        </>
      )}
    </DialogForm>
  );
}
