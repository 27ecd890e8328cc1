import { Button } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useOperator } from '../../../api/operator-state.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { isUnknown } from '../../../ui/table/data-table-states.tsx';
import { TryAgain } from '../../../ui/table/try-again.tsx';
import { financeRoles } from '../roles.ts';
import { type Decision, useDecisionDialog } from './decisions.tsx';

type Action = 'stop' | 'resume';

/** A stop requires no code: it must never wait for a phone. */
export type StopDecisions = Record<Action, Decision>;

type StopSwitch = Pick<Parameters<typeof useDecisionDialog>[0], 'version' | 'refreshes'> & {
  query: UseQueryResult<unknown>;
  decisions: StopDecisions;
  /** Of the banner. */
  title: string;
  /** Who stopped it, when and why; undefined while it runs, or is not known. */
  stopped: ReactNode;
};

/** The button that stops something for all members, and the banner while it is stopped, with the button to resume. */
export function useStopSwitch({ query, decisions, title, stopped, ...deciding }: StopSwitch) {
  const maySwitch = financeRoles.includes(useOperator().role);
  const { begin, dialog, changed } = useDecisionDialog({
    ...deciding,
    decisionOf: (action: Action) => decisions[action],
  });
  // Rendered while loading as well, so that nothing shifts, and a stop waits for no response.
  const button = maySwitch && !stopped && (
    <Button
      variant="danger"
      leftSection={<IconHandStop size={16} stroke={1.5} aria-hidden />}
      onClick={() => begin('stop')}
    >
      {decisions.stop.button}
    </Button>
  );
  const banner = (
    <>
      {isUnknown(query) && (
        <Banner
          tone="amber"
          title={`Unknown whether ${title.toLowerCase()}`}
          action={<TryAgain query={query} size="sm" />}
        >
          This could not be loaded.
        </Banner>
      )}
      {changed && <Banner tone="amber">{changed}</Banner>}
      {stopped && (
        <Banner
          tone="loss"
          icon={IconHandStop}
          title={title}
          action={
            maySwitch && (
              <Button size="sm" variant="default" onClick={() => begin('resume')}>
                {decisions.resume.button}
              </Button>
            )
          }
        >
          {stopped}
        </Banner>
      )}
      {dialog}
    </>
  );
  return { button, banner };
}
