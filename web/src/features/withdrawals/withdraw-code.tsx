import type { Withdrawal } from '#contract/funds/withdrawals.ts';
import { walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { CodeSent, CodeTimes } from '../../ui/text/code-times.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { GroupedAddress } from './grouped-address.tsx';
import { useRequestWithdrawal } from './queries.ts';
import type { AskedWithdrawal, SentCode } from './requested-state.ts';
import { networkName, paidAs } from './withdrawal-labels.ts';
import classes from './withdrawals.module.css';

type WithdrawCodeProps = {
  asked: AskedWithdrawal;
  code: SentCode;
  isResending: boolean;
  onSendAgain: () => void;
  onBack: () => void;
  onRequested: (withdrawal: Withdrawal) => void;
};

/** Step 2: exactly what is withdrawn, and the code that was mailed for it. */
export function WithdrawCode({ asked, code, isResending, onSendAgain, onBack, onRequested }: WithdrawCodeProps) {
  const request = useRequestWithdrawal();
  const wallet = walletNames[asked.walletType];
  return (
    <CodeForm
      layout="page"
      asks={['otp']}
      times={
        <CodeTimes
          expiresAt={code.expiresAt}
          resendAt={code.resendAt}
          isSending={isResending}
          onSendAgain={onSendAgain}
        />
      }
      confirm={`Withdraw ${formatMoney(asked.amount, 'typed')}`}
      busyLabel="Asking"
      isBusy={request.isPending}
      unanswered="No answer came. Try again with the same code: it withdraws once at most. Your history shows whether it was taken."
      back={{ label: 'Back', onClick: onBack }}
      onConfirm={({ otp }, onError) =>
        request.mutate(
          { amount: asked.amount, wallet_type: asked.walletType, otp },
          {
            onSuccess: (withdrawal) => {
              toast.success(
                'Withdrawal requested',
                `${formatMoney(withdrawal.amount, 'typed')} is held in your ${wallet}`,
              );
              onRequested(withdrawal);
            },
            onError,
          },
        )
      }
    >
      <div className={classes.confirmed}>
        <div>
          <Figure label="Arrives" size="xl" foot={paidAs(asked.network)}>
            <Money value={asked.net} />
          </Figure>
        </div>
        <KeyValues
          rule
          items={[
            ['Amount', <Money key="amount" value={asked.amount} />],
            ['Fee', <Money key="fee" value={asked.fee} />],
            ['From', wallet],
          ]}
        />
      </div>
      <div>
        <div className={classes.label}>Goes to, network {networkName(asked.network)}</div>
        <div className={classes.box}>
          <GroupedAddress address={asked.address} />
        </div>
      </div>
      <CodeSent to={code.sentTo} delayed={code.delayed}>
        It confirms exactly this and nothing else.
      </CodeSent>
    </CodeForm>
  );
}
