import { Button } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { pollEvery } from '../../../api/poll.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { type Decision, type DecisionWords, useDecisionDialog } from '../kit/decisions.tsx';
import { PayoutNeedsBanner } from '../kit/payout-needs.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { moneyRoles } from '../roles.ts';

const SWITCH_POLL_MS = 15_000;
const calls = endpoints.operatorPayouts;

const switchQuery = queryOptions({
  queryKey: ['operator', 'payout-switch'],
  queryFn: ({ signal }) => call(calls.getPayoutSwitch, { signal }),
  refetchInterval: pollEvery(SWITCH_POLL_MS),
});

type Action = 'stop' | 'resume';

/** A stop takes no code: it must never wait for a phone. */
const words: Record<Action, DecisionWords> = {
  stop: {
    button: 'Stop payouts',
    title: 'Stop all payouts',
    text: 'From now on nothing is approved, claimed or paid. Members can still request withdrawals, which wait in the queue. Payouts already sent continue.',
    busy: 'Stopping',
    danger: true,
    reason: 'Visible to all operators.',
    done: 'Payouts are stopped',
  },
  resume: {
    button: 'Resume payouts',
    title: 'Resume payouts',
    text: 'Approved withdrawals are paid next, and new ones can be approved again.',
    busy: 'Resuming',
    reason: 'Visible to all operators.',
    otp: true,
    done: 'Payouts resumed',
  },
};

/** The button that stops all payouts, and the banner while they are stopped: who, when, why, and the way to resume. */
export function usePayoutSwitch() {
  const operator = useOperator();
  const { data } = useQuery(switchQuery);
  const mayTurn = operator !== undefined && moneyRoles.includes(operator.role);
  const { begin, dialog, changed } = useDecisionDialog({
    version: 1,
    wordsOf: (action: Action) => words[action],
    mutation: useOperatorMutation(
      ({ action, values: { reason: why, otp } }: Decision<Action>) =>
        call(calls.setPayoutSwitch, {
          body: action === 'stop' ? { stopped: true, why } : { stopped: false, why, otp },
        }),
      ['payout-switch', 'overview'],
    ),
  });
  const button = mayTurn && data?.stopped === false && (
    <Button
      variant="danger"
      leftSection={<IconHandStop size={16} stroke={1.5} aria-hidden />}
      onClick={() => begin('stop')}
    >
      {words.stop.button}
    </Button>
  );
  const banner = (
    <>
      {changed && <Banner tone="amber">{changed}</Banner>}
      {data?.needs && <PayoutNeedsBanner needs={data.needs} />}
      {data?.stopped && (
        <Banner
          tone="loss"
          icon={<IconHandStop size={20} stroke={1.5} />}
          title="Payouts are stopped"
          action={
            mayTurn && (
              <Button size="sm" variant="default" onClick={() => begin('resume')}>
                {words.resume.button}
              </Button>
            )
          }
        >
          {data.operator ?? 'System'}
          {data.at !== null && `, ${formatDateTime(data.at)}`}
          {data.why !== null && `: ${data.why}`}
        </Banner>
      )}
      {dialog}
    </>
  );
  return { button, banner };
}
