import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plan } from '#contract/trading/plan.ts';
import type { StopPercents } from '#contract/trading/stops.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { useMarketClock } from '../../api/market/use-market-clock.ts';
import { isUnderWay, nextOpening } from '../../entities/trade/session-labels.ts';
import { percentOfDraft, stopSentence, stopsLine } from '../../entities/trade/stops.ts';
import { StopsDialog } from '../../entities/trade/stops-dialog.tsx';
import { formatMoney } from '../../ui/format/money.ts';
import { Ask } from '../../ui/forms/ask.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { type PlanChange, useChangePlan, useSetPlanStops } from './queries.ts';

/** Where the page says why the buttons are off. */
export const waitId = 'plan-waits';

/** Whether the plan has to wait for the end of a session; unknown counts as no, the server has the last word. */
export function useIsUnderWay(): boolean {
  const { data: session } = useQuery(sessionQuery);
  return session !== undefined && isUnderWay(session);
}

const done: Record<PlanChange, (plan: Plan) => [title: string, text: string]> = {
  pause: (plan) => ['Plan paused', `${plan.symbol}/usdt keeps ${formatMoney(plan.principal)}.`],
  resume: (plan) => ['Plan resumed', `${plan.symbol}/usdt trades from the next opening on.`],
  redeem: (plan) => ['Plan redeemed', `${formatMoney(plan.redeemed)} is in your Primary Wallet.`],
};

/** Change stops, pause or resume, redeem: each asks first, and all wait while a session is under way. */
export function PlanActions({ plan }: { plan: Plan }) {
  const isWaiting = useIsUnderWay();
  const [asking, setAsking] = useState<PlanChange | 'stops' | null>(null);
  const change = useChangePlan(plan.id);
  const close = () => setAsking(null);
  if (plan.state === 'redeemed') return null;

  const send = (what: PlanChange) =>
    change.mutate(what, { onSuccess: (changed) => toast.success(...done[what](changed)), onSettled: close });
  const off = { disabled: isWaiting, ...(isWaiting ? { 'aria-describedby': waitId } : {}) };
  const isPaused = plan.state === 'paused';
  const pair = `${plan.symbol}/usdt`;
  return (
    <>
      <Button variant="default" {...off} onClick={() => setAsking('stops')}>
        Change stops
      </Button>
      <Button
        variant="default"
        {...off}
        disabled={isWaiting || plan.state_reason === 'minimum'}
        onClick={() => setAsking(isPaused ? 'resume' : 'pause')}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button {...off} onClick={() => setAsking('redeem')}>
        Redeem
      </Button>
      <PlanStops plan={plan} opened={asking === 'stops'} onClose={close} />
      <Ask
        opened={asking === 'pause'}
        onClose={close}
        title={`Pause the plan on ${pair}?`}
        keep="Keep it running"
        confirm="Pause"
        busy={change.isPending}
        busyLabel="Pausing"
        onConfirm={() => send('pause')}
      >
        <p>
          It keeps its{' '}
          <b>
            <Money value={plan.principal} />
          </b>{' '}
          and does not trade until you resume it. No money moves.
        </p>
      </Ask>
      <Ask
        opened={asking === 'resume'}
        onClose={close}
        title={`Resume the plan on ${pair}?`}
        keep="Keep it paused"
        confirm="Resume"
        busy={change.isPending}
        busyLabel="Resuming"
        onConfirm={() => send('resume')}
      >
        <p>
          It trades again with its{' '}
          <b>
            <Money value={plan.principal} />
          </b>{' '}
          <FromOpening />.
        </p>
      </Ask>
      <Ask
        opened={asking === 'redeem'}
        onClose={close}
        title={`Redeem the plan on ${pair}?`}
        keep="Keep the plan"
        confirm="Redeem"
        busy={change.isPending}
        busyLabel="Redeeming"
        onConfirm={() => send('redeem')}
      >
        <p>
          <b>
            <Money value={plan.principal} />
          </b>{' '}
          goes to your Primary Wallet now. You put in {formatMoney(plan.amount, 'typed')}; its trades so far came to{' '}
          <b>
            <SignedMoney value={plan.result_total} />
          </b>
          .
        </p>
        <p>The plan ends with that and cannot be resumed.</p>
      </Ask>
    </>
  );
}

function FromOpening() {
  const { session, now } = useMarketClock();
  return session && now ? `from the next opening on, ${nextOpening(session, now)}` : 'from the next opening on';
}

type PlanStopsProps = { plan: Plan; opened: boolean; onClose: () => void };

function PlanStops({ plan, opened, onClose }: PlanStopsProps) {
  const save = useSetPlanStops(plan.id);
  const send = (stops: Partial<StopPercents>) =>
    save.mutate(stops, {
      onSuccess: (saved) => toast.success(`Stops of the plan on ${plan.symbol}/usdt`, `Now ${stopsLine(saved.stops)}.`),
      onSettled: onClose,
    });
  return (
    <StopsDialog
      opened={opened}
      onClose={onClose}
      title={`Stops of the plan on ${plan.symbol}/usdt`}
      stops={plan.stops}
      // Each trade has an entry of its own, so there is no one price to name.
      sentenceOf={(kind, draft) =>
        stopSentence(kind, percentOfDraft(kind, draft), { entry: null, highest: null, mark: null }, plan.symbol)
      }
      busy={save.isPending}
      onSave={send}
    >
      For each trade the plan makes from now on. After a stop was reached it rests until the next session.
    </StopsDialog>
  );
}
