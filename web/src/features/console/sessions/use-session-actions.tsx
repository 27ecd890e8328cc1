import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { SessionDetail, SessionRerun } from '#contract/operator/sessions.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { type Check, CheckList } from '../kit/check-list.tsx';
import { DetailSection } from '../kit/detail-panel.tsx';
import { payers } from '../roles.ts';
import { partWords, shortHash } from './labels.ts';
import { useRerun, useTryAgain } from './queries.ts';

/** Whether something of a session that closed is not done: it goes on by itself, unless it stands still. */
const isUnfinished = ({ state, bonus }: SessionDetail): boolean =>
  state === 'settling' || (state === 'settled' && bonus?.state !== 'done');

/** What can be done with a session, and what came of its re-run. */
export function useSessionActions(day: string, operator: Operator, session: SessionDetail | undefined) {
  const rerun = useRerun(day);
  const tryAgain = useTryAgain();
  const mayRerun = session?.state === 'settled' && payers.includes(operator.role);
  const mayTryAgain = session !== undefined && isUnfinished(session) && operator.role === 'admin';
  const buttons = (mayRerun || mayTryAgain) && (
    <>
      {mayTryAgain && (
        <Button
          size="lg"
          variant="default"
          disabled={tryAgain.isPending}
          onClick={() =>
            tryAgain.mutate(undefined, {
              onSuccess: () => toast.success('It is tried again', 'It goes on where it stands'),
            })
          }
        >
          Try again
        </Button>
      )}
      {mayRerun && (
        <BusyButton
          size="lg"
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.5} aria-hidden />}
          busy={rerun.isPending}
          busyLabel="Working it out"
          onClick={() => rerun.mutate()}
        >
          Work it out again
        </BusyButton>
      )}
      {mayRerun && <p>Nothing is posted; the hashes are compared.</p>}
    </>
  );
  const outcome = rerun.data && (
    <DetailSection title={`Worked out again in ${rerun.data.took_ms.toLocaleString('en-US')} ms`}>
      <CheckList checks={rerun.data.parts.map(checkOf)} />
    </DetailSection>
  );
  return { buttons, outcome };
}

const checkOf = ({ part, same, stored, replayed }: SessionRerun['parts'][number]): Check => ({
  key: part,
  state: same ? 'done' : 'look',
  words: same
    ? `${partWords[part]}: the same, ${shortHash(stored)}`
    : `${partWords[part]}: stored as ${shortHash(stored)}, comes out as ${shortHash(replayed)}`,
});
