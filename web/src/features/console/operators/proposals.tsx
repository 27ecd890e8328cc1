import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OperatorProposal } from '#contract/accounts/operators.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Panel } from '../../../ui/frame/panel.tsx';
import { type Action, proposalWords } from './actions.ts';
import classes from './proposals.module.css';
import { readProposals } from './queries.ts';

const PROPOSALS_SHOWN = '100';

/** What was proposed about operators and has not ended; nothing is drawn when there is none. */
export function Proposals({ onAct }: { onAct: (action: Action) => void }) {
  const { data } = useQuery({
    queryKey: ['operator', 'operators', 'proposals'],
    queryFn: ({ signal }) => readProposals({ limit: PROPOSALS_SHOWN }, signal),
  });
  if (!data || data.items.length === 0) return null;
  return (
    <Panel title="Waiting" rule padded={false}>
      <ul className={classes.list}>
        {data.items.map((proposal) => (
          <li key={proposal.id}>
            <div>
              {proposalWords(proposal)}
              <small>{standing(proposal)}</small>
              <small>“{proposal.why}”</small>
            </div>
            {proposal.may_approve && (
              <Button
                size="sm"
                onClick={() => onAct({ kind: 'approve', id: proposal.id, name: proposalWords(proposal) })}
              >
                Approve
              </Button>
            )}
            <Button
              size="sm"
              variant="danger"
              onClick={() => onAct({ kind: 'withdraw', id: proposal.id, name: proposalWords(proposal) })}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Who proposed it, who approved it, and when it is carried out. */
function standing({ proposed_by, proposed_at, approved_by, due_at }: OperatorProposal): string {
  const proposed = `Proposed by ${proposed_by.name}, ${formatDateTime(proposed_at)}.`;
  if (due_at === null) return `${proposed} A second admin has to approve it.`;
  const approved = approved_by === null ? '' : ` Approved by ${approved_by.name}.`;
  return `${proposed}${approved} Carried out ${formatDateTime(due_at)}.`;
}
