import { SimpleGrid } from '@mantine/core';
import type { Withdrawal } from '#contract/funds/withdrawals.ts';
import { t } from '../../api/texts.ts';
import type { CodeStep } from '../../entities/member/mailed-code.ts';
import { SecondFactorField, useSecondFactor } from '../../entities/member/second-factor-field.tsx';
import { walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { CodeSent, CodeTimes } from '../../ui/text/code-times.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { GroupedText, TextBox } from '../../ui/text/text-box.tsx';
import type { AskedWithdrawal } from './asked.ts';
import { useRequestWithdrawal } from './queries.ts';
import { networkName, paidAs } from './withdrawal-labels.ts';

type WithdrawCodeProps = CodeStep<AskedWithdrawal> & {
  isResending: boolean;
  onSendAgain: () => void;
  onBack: () => void;
  onRequested: (withdrawal: Withdrawal) => void;
};

/** Step 2: exactly what is withdrawn, and the emailed code that confirms it. */
export function WithdrawCode({ asked, code, isResending, onSendAgain, onBack, onRequested }: WithdrawCodeProps) {
  const request = useRequestWithdrawal();
  const factor = useSecondFactor();
  const wallet = walletNames[asked.walletType];
  return (
    <CodeForm
      layout="page"
      asks={['otp']}
      times={<CodeTimes {...code} isSending={isResending} onSendAgain={onSendAgain} />}
      confirm={t`Withdraw ${formatMoney(asked.amount, 'typed')}`}
      busyLabel={t`Requesting`}
      isBusy={request.isPending}
      unanswered={t`No reply. Try again with the same code: it withdraws at most once. Your history shows whether the request was received.`}
      back={{ label: t`Back`, onClick: onBack }}
      foot={<SecondFactorField factor={factor} isBusy={request.isPending} />}
      onConfirm={({ otp }, onError) => {
        if (!factor.check()) return;
        request.mutate(
          { amount: asked.amount, wallet_type: asked.walletType, otp, ...factor.body() },
          {
            onSuccess: (withdrawal) => {
              toast.success(
                t`Withdrawal requested`,
                t`${formatMoney(withdrawal.amount, 'typed')} is held in your ${wallet}`,
              );
              onRequested(withdrawal);
            },
            onError: (error) => {
              onError(error);
              factor.fail(error);
            },
          },
        );
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" verticalSpacing="md">
        <Figure label={t`You receive`} size="xl" foot={paidAs(asked.network)}>
          <Money value={asked.net} />
        </Figure>
        <KeyValues
          rule
          items={[
            [t`Amount`, <Money key="amount" value={asked.amount} />],
            [t`Fee`, <Money key="fee" value={asked.fee} />],
            [t`From`, wallet],
          ]}
        />
      </SimpleGrid>
      <TextBox label={t`Payout address, network ${networkName(asked.network)}`}>
        <GroupedText>{asked.address}</GroupedText>
      </TextBox>
      <CodeSent to={code.sentTo} delayed={code.delayed}>{t`The code confirms only this withdrawal.`}</CodeSent>
    </CodeForm>
  );
}
