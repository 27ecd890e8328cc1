import type { ConsoleSession } from '#contract/operator/sessions.ts';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { runWords, stateWords } from './labels.ts';

const tones = { scheduled: 'queued', open: 'open', settling: 'settling', settled: 'settled' } as const;

export const SessionBadge = ({ state }: { state: ConsoleSession['state'] }) => (
  <StateBadge of="trade" state={tones[state]}>
    {stateWords[state]}
  </StateBadge>
);

/** How far the fees are shared out; nothing before that begins. */
export function RunBadge({ state }: { state: ConsoleSession['bonus_run'] }) {
  if (state === null) return '–';
  return (
    <StateBadge of="withdrawal" state={state === 'done' ? 'completed' : 'sent'}>
      {runWords[state]}
    </StateBadge>
  );
}
