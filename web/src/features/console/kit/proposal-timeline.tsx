import type { ReactNode } from 'react';
import { formatDateTime } from '../../../ui/format/time.ts';
import { consolePath } from '../../../ui/paths.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { TextLink } from '../../../ui/text/text-link.tsx';
import { DetailSection } from './detail-panel.tsx';

type Story = {
  proposed_by: { name: string };
  proposed_at: string;
  decided_by: { name: string } | null;
  decided_at: string | null;
  note: string | null;
  /** Of one that moved money. */
  transfer_id?: string | null;
  /** Of one about fees. */
  plan_id?: string | null;
};

/** Who proposed it, who decided, and the transfer or plan that it became. */
export function ProposalStory({ proposal }: { proposal: Story }) {
  const { proposed_by, proposed_at, decided_by, decided_at, note, transfer_id, plan_id } = proposal;
  const lines: (readonly [string, ReactNode])[] = [['Proposed', `${proposed_by.name}, ${formatDateTime(proposed_at)}`]];
  if (decided_by && decided_at) lines.push(['Decided', `${decided_by.name}, ${formatDateTime(decided_at)}`]);
  if (note !== null) lines.push(['Why', note]);
  if (plan_id) lines.push(['Plan', `no. ${plan_id}`]);
  if (transfer_id) {
    lines.push([
      'Transfer',
      <TextLink key="transfer" to={`${consolePath('ledger')}/${transfer_id}`}>
        no. {transfer_id}
      </TextLink>,
    ]);
  }
  return (
    <DetailSection title="Two people">
      <KeyValues items={lines} />
    </DetailSection>
  );
}
