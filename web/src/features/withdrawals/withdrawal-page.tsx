import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { Banner } from '../../ui/frame/banner.tsx';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { AddressPanel } from './address-panel.tsx';
import { termsQuery, useSendCode } from './queries.ts';
import { type AskedState, type AskedWithdrawal, askedStateOf, liveStep } from './requested-state.ts';
import { BarBanner, StoppedBanner } from './restriction-banner.tsx';
import { sentCodeOf } from './sent-code.ts';
import { SimulatedPayout } from './simulated-payout.tsx';
import { WithdrawCode } from './withdraw-code.tsx';
import { type WithdrawalDraft, WithdrawForm } from './withdraw-form.tsx';
import { WithdrawalHistory } from './withdrawal-history.tsx';
import { WithdrawalPanel } from './withdrawal-panel.tsx';
import classes from './withdrawals.module.css';

type Asked = NonNullable<AskedState['withdrawal']>;

/**
 * Two steps, then the result: amount and wallet, the code from the mail, and the withdrawal as it stands
 * (`?withdrawal=7`). Going back from any of them sends nothing.
 */
export function WithdrawalPage() {
  const terms = useQuery(termsQuery);
  const navigate = useNavigate();
  const { state } = useLocation();
  const [search] = useSearchParams();
  const sendCode = useSendCode();
  const asked = askedStateOf(state).withdrawal;
  const [draft, setDraft] = useState<WithdrawalDraft>({
    text: asked ? String(asked.asked.amount) : '',
    wallet: asked?.asked.walletType ?? 'primary',
  });
  const [last, setLast] = useState(asked);
  const madeId = search.get('withdrawal') ?? undefined;

  const showCode = (step: Asked, replace: boolean) =>
    navigate(paths.withdrawal, { replace, preventScrollReset: true, state: { withdrawal: step } satisfies AskedState });
  const ask = (withdrawal: AskedWithdrawal, replace: boolean, onError?: (error: Error) => void) =>
    sendCode.mutate(
      { purpose: 'withdrawal', amount: String(withdrawal.amount), wallet_type: withdrawal.walletType },
      {
        onSuccess: (data) => {
          const step = { asked: withdrawal, code: sentCodeOf(data) };
          setLast(step);
          void showCode(step, replace);
        },
        ...(onError ? { onError } : {}),
      },
    );

  return (
    <>
      <PageHead title="Withdraw" facts="Money goes from a wallet to your own payout address">
        <SimulatedPayout simulated={terms.data?.simulated} />
        <Button component={Link} to={paths.withdrawalHistory} variant="default">
          Withdrawal history
        </Button>
      </PageHead>
      {terms.isError && !terms.data && (
        <Banner
          icon={<IconAlertTriangle size={20} stroke={1.5} />}
          title="Limits and address could not be loaded"
          action={
            <Button variant="default" disabled={terms.isFetching} onClick={() => void terms.refetch()}>
              Try again
            </Button>
          }
        >
          Your money is not affected. What is not known is shown as a dash.
        </Banner>
      )}
      {terms.data?.bar && <BarBanner bar={terms.data.bar} />}
      {terms.data?.payouts_stopped && <StoppedBanner />}
      <div className={classes.columns}>
        {madeId !== undefined ? (
          <WithdrawalPanel
            id={madeId}
            foot={
              <Button component={Link} to={paths.withdrawal} variant="default">
                Withdraw again
              </Button>
            }
          />
        ) : (
          <Panel title={<Step number={asked ? 2 : 1} title={asked ? 'Confirm' : 'Amount'} />}>
            {asked ? (
              <WithdrawCode
                // Another operation begins with empty cells.
                key={JSON.stringify(asked.asked)}
                {...asked}
                isResending={sendCode.isPending}
                onSendAgain={() => ask(asked.asked, true)}
                onBack={() => void navigate(paths.withdrawal, { replace: true, preventScrollReset: true })}
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
                onAsk={(withdrawal, onError) => {
                  const live = liveStep(last, withdrawal, Date.now());
                  if (live) void showCode(live, false);
                  else ask(withdrawal, false, onError);
                }}
              />
            )}
          </Panel>
        )}
        <AddressPanel />
      </div>
      <WithdrawalHistory selectedId={madeId} />
    </>
  );
}

/** Whoever comes to a step is taken to it, with the keyboard too; the first one is where the page begins. */
function Step({ number, title }: { number: 1 | 2; title: string }) {
  const heading = useRef<HTMLSpanElement>(null);
  const before = useRef(number);
  useEffect(() => {
    if (before.current !== number && number === 1) heading.current?.focus();
    before.current = number;
  }, [number]);
  return (
    <span className={classes.step} ref={heading} tabIndex={-1}>
      <span className={classes.number}>{number}</span>
      {title}
    </span>
  );
}
