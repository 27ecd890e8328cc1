import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan } from '#contract/trading/plan.ts';
import type { StopPercents } from '#contract/trading/stops.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { t } from '../../api/texts.ts';
import { isUnderWay, nextOpening } from '../../entities/trade/session-labels.ts';
import { percentOfDraft, stopSentence, stopsLine } from '../../entities/trade/stops.ts';
import { StopsDialog } from '../../entities/trade/stops-dialog.tsx';
import { formatMoney } from '../../ui/format/number.ts';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { type PlanChange, useChangePlan, useSetPlanStops } from './queries.ts';

/** Where the page explains why the buttons are disabled. */
export const waitId = 'plan-waits';

/** Whether the plan is locked until the end of a session; unknown counts as no, since the server has the last word. */
export function useIsUnderWay(): boolean {
  const { data: session } = useQuery(sessionQuery);
  return session !== undefined && isUnderWay(session);
}

const done: Record<PlanChange, (plan: Plan) => [title: string, text: string]> = {
  pause: (plan) => [t`Plan paused`, t`The plan on ${plan.symbol}/usdt keeps ${formatMoney(plan.principal)}.`],
  resume: (plan) => [t`Plan resumed`, t`The plan on ${plan.symbol}/usdt trades again from the next session.`],
  redeem: (plan) => [t`Plan redeemed`, t`${formatMoney(plan.redeemed)} was paid to your Primary Wallet.`],
};

/** Change stops, pause or resume, redeem: each asks for confirmation, and all are disabled during a session. */
export function PlanActions({ plan }: { plan: Plan }) {
  const isWaiting = useIsUnderWay();
  const [asking, setAsking] = useState<PlanChange | 'stops' | null>(null);
  const change = useChangePlan(plan.id);
  const close = () => setAsking(null);
  if (plan.state === 'redeemed') return null;

  const send = (what: PlanChange) =>
    change.mutate(what, {
      onSuccess: (changed) => {
        toast.success(...done[what](changed));
        close();
      },
    });
  const dialogOf = (what: PlanChange) => ({
    opened: asking === what,
    onClose: close,
    busy: change.isPending,
    refused: change.error,
    onConfirm: () => send(what),
  });
  const off = { disabled: isWaiting, ...(isWaiting ? { 'aria-describedby': waitId } : {}) };
  const isPaused = plan.state === 'paused';
  const pair = `${plan.symbol}/usdt`;
  const principal = (
    <b>
      <Money value={plan.principal} />
    </b>
  );
  return (
    <>
      <Button variant="default" {...off} onClick={() => setAsking('stops')}>{t`Change stops`}</Button>
      <Button
        variant="default"
        {...off}
        disabled={isWaiting || plan.state_reason === 'minimum'}
        onClick={() => setAsking(isPaused ? 'resume' : 'pause')}
      >
        {isPaused ? t`Resume` : t`Pause`}
      </Button>
      <Button {...off} onClick={() => setAsking('redeem')}>{t`Redeem`}</Button>
      <PlanStops plan={plan} opened={asking === 'stops'} onClose={close} />
      <ConfirmDialog
        {...dialogOf('pause')}
        title={t`Pause the plan on ${pair}?`}
        keep={t`Keep plan running`}
        confirm={t`Pause`}
        busyLabel={t`Pausing`}
      >
        <p>
          <Trans
            text={t`The plan keeps its <amount/> and does not trade until you resume it. No money moves.`}
            amount={principal}
          />
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        {...dialogOf('resume')}
        title={t`Resume the plan on ${pair}?`}
        keep={t`Keep plan paused`}
        confirm={t`Resume`}
        busyLabel={t`Resuming`}
      >
        <p>
          <Trans
            text={t`The plan trades its <amount/> again from the next session, <opening/>.`}
            amount={principal}
            opening={<NextOpening />}
          />
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        {...dialogOf('redeem')}
        title={t`Redeem the plan on ${pair}?`}
        keep={t`Keep plan`}
        confirm={t`Redeem`}
        busyLabel={t`Redeeming`}
      >
        <p>
          <Trans
            text={t`<amount/> is paid to your Primary Wallet now. You invested ${formatMoney(plan.amount, 'typed')}. P&L so far: <pnl/>.`}
            amount={principal}
            pnl={
              <b>
                <SignedMoney value={plan.result_total} />
              </b>
            }
          />
        </p>
        <p>{t`A redeemed plan cannot be resumed.`}</p>
      </ConfirmDialog>
    </>
  );
}

function NextOpening() {
  const { session, now } = useMarketClock();
  return session && now ? nextOpening(session, now) : '–';
}

function PlanStops({ plan, opened, onClose }: { plan: Plan; opened: boolean; onClose: () => void }) {
  const save = useSetPlanStops(plan.id);
  const send = (stops: Partial<StopPercents>) =>
    save.mutate(stops, {
      onSuccess: (saved) => {
        toast.success(t`Stops for the plan on ${plan.symbol}/usdt`, t`New stops: ${stopsLine(saved.stops)}`);
        onClose();
      },
    });
  return (
    <StopsDialog
      opened={opened}
      onClose={onClose}
      title={t`Stops for the plan on ${plan.symbol}/usdt`}
      stops={plan.stops}
      // Each trade has its own entry, so there is no single price to show.
      sentenceOf={(kind, draft) =>
        stopSentence(kind, percentOfDraft(kind, draft), { entry: null, highest: null, mark: null }, plan.symbol)
      }
      busy={save.isPending}
      refused={save.error}
      onSave={send}
    >{t`Stops apply to every new trade of the plan. After a stop is reached, the plan waits for the next session.`}</StopsDialog>
  );
}
