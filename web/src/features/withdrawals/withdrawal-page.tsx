import { Button, SimpleGrid } from '@mantine/core';
import { IconAlertTriangle, IconClock, IconMapPin, IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { Withdrawal, WithdrawalTerms } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { type CodeStep, useMailedCode } from '../../entities/member/mailed-code.ts';
import { SecondFactorField, useSecondFactor } from '../../entities/member/second-factor-field.tsx';
import { walletNames } from '../../entities/trade/labels.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatCountdown, formatDateTime } from '../../ui/format/time.ts';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { Banner } from '../../ui/frame/banner.tsx';
import { SupportLink } from '../../ui/frame/support-link.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Columns } from '../../ui/layout/columns.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { StepTitle } from '../../ui/state/step-title.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { TryAgain } from '../../ui/table/try-again.tsx';
import { CodeSent, CodeTimes } from '../../ui/text/code-times.tsx';
import { Figure } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { GroupedText, TextBox } from '../../ui/text/text-box.tsx';
import { useRealNow } from '../../ui/use-real-now.ts';
import { ADDRESS_PARAMETER, AddressPanel } from './address-panel.tsx';
import { termsQuery, useRequestWithdrawal, useSendCode } from './queries.ts';
import { type WithdrawalDraft, WithdrawForm } from './withdraw-form.tsx';
import { SimulatedPayouts, WithdrawalHistory } from './withdrawal-history.tsx';
import { networkName, paidAs } from './withdrawal-labels.ts';
import { WithdrawalPanel } from './withdrawal-panel.tsx';
import { isWithdrawalRequest, type WithdrawalRequest } from './withdrawal-request.ts';

/**
 * Two steps, then the result: amount and wallet, the code from the email, and the withdrawal (`?withdrawal=7`). Going
 * back from any of them sends nothing.
 */
export function WithdrawalPage() {
  const terms = useQuery(termsQuery);
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const sendCode = useSendCode();
  const { step, show, keep, live } = useMailedCode('withdrawal', isWithdrawalRequest);
  const [draft, setDraft] = useState<WithdrawalDraft>({
    text: step ? String(step.asked.amount) : '',
    wallet: step?.asked.walletType ?? 'primary',
  });
  const madeId = search.get('withdrawal') ?? undefined;

  const ask = (asked: WithdrawalRequest, replace: boolean, onError?: (error: Error) => void) =>
    sendCode.mutate(
      { purpose: 'withdrawal', amount: String(asked.amount), wallet_type: asked.walletType },
      { onSuccess: (sent) => keep(asked, sent, { replace }), ...(onError ? { onError } : {}) },
    );

  return (
    <>
      <PageHead title={t`Withdraw`} facts={t`From a wallet to your payout address.`}>
        <SimulatedPayouts terms={terms.data} />
        <Button component={Link} to={paths.withdrawalHistory} variant="default">{t`Withdrawal history`}</Button>
      </PageHead>
      {terms.isError && !terms.data && (
        <Banner
          icon={IconAlertTriangle}
          title={t`Limits and payout address could not be loaded`}
          action={<TryAgain query={terms} />}
        >{t`Your money is not affected. Figures that could not be loaded are shown as a dash.`}</Banner>
      )}
      {terms.data?.bar && <RestrictionBanner restriction={terms.data.bar} />}
      {terms.data?.payouts_stopped && <StoppedBanner />}
      <Columns>
        {madeId !== undefined ? (
          <WithdrawalPanel
            id={madeId}
            foot={
              <Button component={Link} to={paths.withdrawal} variant="default">{t`Make another withdrawal`}</Button>
            }
          />
        ) : (
          <Panel title={<Step number={step ? 2 : 1} title={step ? t`Confirm` : t`Amount`} />}>
            {step ? (
              <WithdrawCode
                // Another operation starts with empty cells.
                key={JSON.stringify(step.asked)}
                {...step}
                isResending={sendCode.isPending}
                onSendAgain={() => ask(step.asked, true)}
                onBack={() => show(undefined)}
                onRequested={({ id }) =>
                  void navigate(`${paths.withdrawal}?withdrawal=${id}`, { replace: true, preventScrollReset: true })
                }
              />
            ) : (
              <WithdrawForm
                terms={terms.data}
                draft={draft}
                onDraft={setDraft}
                isBusy={sendCode.isPending}
                refused={sendCode.error}
                onAsk={(asked, onError) => {
                  const before = live(asked);
                  if (before) show(before, { replace: false });
                  else ask(asked, false, onError);
                }}
              />
            )}
          </Panel>
        )}
        <AddressPanel />
      </Columns>
      <WithdrawalHistory selectedId={madeId} />
    </>
  );
}

/** A step is scrolled to and focused; the first one is where the page begins. */
function Step({ number, title }: { number: 1 | 2; title: string }) {
  const heading = useRef<HTMLDivElement>(null);
  const before = useRef(number);
  useEffect(() => {
    if (before.current !== number && number === 1) heading.current?.focus();
    before.current = number;
  }, [number]);
  return (
    <StepTitle number={number} at="current" ref={heading}>
      {title}
    </StepTitle>
  );
}

type WithdrawCodeProps = CodeStep<WithdrawalRequest> & {
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
          { amount: asked.amount, fee: asked.fee, wallet_type: asked.walletType, otp, ...factor.body() },
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

type Restriction = NonNullable<WithdrawalTerms['bar']>;

/** A sentence with a link to support. */
const WithSupport = ({ text }: { text: string }) => <Trans text={text} support={<SupportLink />} />;

/** Why withdrawals are restricted, and what to do about it. */
function RestrictionBanner({ restriction }: { restriction: Restriction }) {
  switch (restriction.code) {
    case 'account_frozen':
      // Said over every page.
      return null;
    case 'withdrawals_frozen':
      return (
        <Banner tone="loss" icon={IconAlertTriangle} title={t`Withdrawals of your account are stopped`}>
          <WithSupport
            text={t`They were stopped with “This was not me” in an email, by an operator, or because of a requested change of your email address. Your money is safe. Write to <support/> to resume withdrawals.`}
          />
        </Banner>
      );
    case 'not_verified':
      return (
        <Banner icon={IconUserCheck} title={t`Your account is not verified yet`}>
          <WithSupport text={t`Withdrawals require a verified account. Write to <support/> to be verified.`} />
        </Banner>
      );
    case 'address_missing':
      return (
        <Banner
          icon={IconMapPin}
          title={t`Add a payout address first`}
          action={
            <Button
              component={Link}
              to={{ search: ADDRESS_PARAMETER }}
              preventScrollReset
              w={{ base: '100%', xs: 'auto' }}
            >
              {t`Add address`}
            </Button>
          }
        >
          {t`Withdrawals go to your payout address, from ${withdrawalRules.waitHours} hours after you save it.`}
        </Banner>
      );
    case 'withdrawal_waiting':
      return (
        <Banner icon={IconClock} title={t`Withdrawals are on hold`}>
          <Waiting until={restriction.until} />
        </Banner>
      );
  }
}

/** The server does not say what began the wait: it may be the first address. */
function Waiting({ until }: { until: string | null }): ReactNode {
  const now = useRealNow();
  const why = t`An address was saved, or your email address, password or sign-in was changed, less than ${withdrawalRules.waitHours} hours ago.`;
  if (until === null) return why;
  return (
    <Trans
      text={t`${why} Withdrawals are available from ${formatDateTime(until)}, in <left/>. You do not need to do anything. If this was not you, write to <support/>.`}
      left={<span style={{ fontVariantNumeric: 'tabular-nums' }}>{formatCountdown(Date.parse(until) - now)}</span>}
      support={<SupportLink />}
    />
  );
}

/** While payouts of all members are stopped, a request can still be made, and waits. */
const StoppedBanner = () => (
  <Banner icon={IconClock} title={t`Payouts are stopped at the moment`}>
    {t`You can still request a withdrawal. Its amount is held until payouts resume, and you can cancel it until then.`}
  </Banner>
);
