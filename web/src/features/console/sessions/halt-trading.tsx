import { Button } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { sessionQuery } from '../../../api/market/queries.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { pollEvery } from '../../../api/poll.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { type Decision, type DecisionWords, useDecisionDialog } from '../kit/decisions.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { moneyRoles } from '../roles.ts';

const HALT_POLL_MS = 15_000;
const { getHalt, haltTrading, liftHalt } = endpoints.tradingHalt;

const haltQuery = queryOptions({
  queryKey: ['operator', 'halt'],
  queryFn: ({ signal }) => call(getHalt, { signal }),
  refetchInterval: pollEvery(HALT_POLL_MS),
});

type Action = 'halt' | 'resume';

/** A halt takes no code: it must never wait for a phone. */
const words: Record<Action, DecisionWords> = {
  halt: {
    button: 'Halt trading',
    title: 'Halt trading',
    text: 'From now on no trade is placed or opened. Queued trades are refunded in full, and plans do not buy. Open positions stay open: members can close them, and stops and the session close still sell them.',
    busy: 'Halting',
    danger: true,
    reason: 'Visible to all members, on every page.',
    done: 'Trading is halted',
  },
  resume: {
    button: 'Resume trading',
    title: 'Resume trading',
    text: 'Trades open again with the next price. Plans decide again at the next quarter of an hour.',
    busy: 'Resuming',
    reason: 'Visible to all operators.',
    otp: true,
    done: 'Trading resumed',
  },
};

/** The button that halts trading, and the banner while it is halted: who, when, why, and the way to resume. */
export function useTradingHalt() {
  const operator = useOperator();
  const { data } = useQuery(haltQuery);
  const mayTurn = operator !== undefined && moneyRoles.includes(operator.role);
  const halt = data?.halt;
  const { begin, dialog, changed } = useDecisionDialog({
    // What the dialog was opened on is what is lifted, and no later halt.
    version: halt?.version ?? 0,
    wordsOf: (action: Action) => words[action],
    mutation: useOperatorMutation(
      ({ action, version, values: { reason, otp } }: Decision<Action>) =>
        action === 'halt'
          ? call(haltTrading, { body: { reason } })
          : call(liftHalt, { body: { version, note: reason, otp } }),
      ['halt', 'sessions', 'overview', sessionQuery.queryKey],
    ),
  });
  const button = mayTurn && halt === null && (
    <Button
      variant="danger"
      leftSection={<IconHandStop size={16} stroke={1.5} aria-hidden />}
      onClick={() => begin('halt')}
    >
      {words.halt.button}
    </Button>
  );
  const banner = (
    <>
      {changed && <Banner tone="amber">{changed}</Banner>}
      {halt && (
        <Banner
          tone="loss"
          icon={<IconHandStop size={20} stroke={1.5} />}
          title="Trading is halted"
          action={
            mayTurn && (
              <Button size="sm" variant="default" onClick={() => begin('resume')}>
                {words.resume.button}
              </Button>
            )
          }
        >
          {halt.by.name}, {formatDateTime(halt.at)}: {halt.reason}
        </Banner>
      )}
      {dialog}
    </>
  );
  return { button, banner };
}
