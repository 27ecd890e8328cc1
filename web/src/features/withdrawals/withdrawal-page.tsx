import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { t } from '../../api/texts.ts';
import { useMailedCode } from '../../entities/member/mailed-code.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { ModeNote } from '../../ui/frame/mode-label.tsx';
import { Columns } from '../../ui/layout/columns.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { StepTitle } from '../../ui/state/step-title.tsx';
import { AddressPanel } from './address-panel.tsx';
import { type AskedWithdrawal, isWithdrawal } from './asked.ts';
import { termsQuery, useSendCode } from './queries.ts';
import { RestrictionBanner, StoppedBanner } from './restriction-banner.tsx';
import { WithdrawCode } from './withdraw-code.tsx';
import { type WithdrawalDraft, WithdrawForm } from './withdraw-form.tsx';
import { WithdrawalHistory } from './withdrawal-history.tsx';
import { WithdrawalPanel } from './withdrawal-panel.tsx';

/**
 * Two steps, then the result: amount and wallet, the code from the email, and the withdrawal (`?withdrawal=7`). Going
 * back from any of them sends nothing.
 */
export function WithdrawalPage() {
  const terms = useQuery(termsQuery);
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const sendCode = useSendCode();
  const { step, show, keep, live } = useMailedCode('withdrawal', isWithdrawal);
  const [draft, setDraft] = useState<WithdrawalDraft>({
    text: step ? String(step.asked.amount) : '',
    wallet: step?.asked.walletType ?? 'primary',
  });
  const madeId = search.get('withdrawal') ?? undefined;

  const ask = (asked: AskedWithdrawal, replace: boolean, onError?: (error: Error) => void) =>
    sendCode.mutate(
      { purpose: 'withdrawal', amount: String(asked.amount), wallet_type: asked.walletType },
      { onSuccess: (sent) => keep(asked, sent, { replace }), ...(onError ? { onError } : {}) },
    );

  return (
    <>
      <PageHead title={t`Withdraw`} facts={t`From a wallet to your payout address.`}>
        {terms.data?.simulated && <ModeNote>{t`Simulated payouts: no real money moves`}</ModeNote>}
        <Button component={Link} to={paths.withdrawalHistory} variant="default">{t`Withdrawal history`}</Button>
      </PageHead>
      {terms.isError && !terms.data && (
        <Banner
          icon={<IconAlertTriangle size={20} stroke={1.5} />}
          title={t`Limits and payout address could not be loaded`}
          action={
            <Button
              variant="default"
              disabled={terms.isFetching}
              onClick={() => void terms.refetch()}
            >{t`Try again`}</Button>
          }
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
                // Another operation begins with empty cells.
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

/** Whoever comes to a step is taken to it, with the keyboard too; the first one is where the page begins. */
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
