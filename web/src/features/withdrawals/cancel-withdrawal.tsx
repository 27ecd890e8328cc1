import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Withdrawal } from '#contract/funds/withdrawals.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { Ask } from '../../ui/forms/ask.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { useCancelWithdrawal } from './queries.ts';
import { networkName, shortAddress } from './withdrawal-labels.ts';

/** Cancels a withdrawal that nobody approved yet, after naming it and what comes back. */
export function CancelWithdrawal({ withdrawal }: { withdrawal: Withdrawal }) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useCancelWithdrawal();
  const amount = formatMoney(withdrawal.amount, 'typed');
  const wallet = walletNames[withdrawal.wallet_type];

  const confirm = () =>
    cancel.mutate(withdrawal.id, {
      onSuccess: () => toast.success('Withdrawal cancelled', `${amount} is back in your ${wallet}`),
      onSettled: () => setAsking(false),
    });

  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Cancel the withdrawal
      </Button>
      <Ask
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Cancel ${withdrawal.reference}?`}
        keep="Keep it"
        confirm="Cancel the withdrawal"
        busy={cancel.isPending}
        busyLabel="Cancelling"
        onConfirm={confirm}
      >
        <p>
          <b>{amount}</b> goes back to your <b>{wallet}</b> at once. Nothing is paid to{' '}
          {shortAddress(withdrawal.address)} over {networkName(withdrawal.network)}.
        </p>
      </Ask>
    </>
  );
}
