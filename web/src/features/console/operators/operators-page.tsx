import { Box, Button, Group, Menu } from '@mantine/core';
import { IconDots, IconUserPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ListedOperator, OperatorProposal } from '#contract/accounts/operators.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { formatDate, formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Rows } from '../../../ui/layout/rows.tsx';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { column, lines, unlabelledColumn } from '../kit/columns.tsx';
import { useDecisionDialog } from '../kit/decisions.tsx';
import { Quiet } from '../kit/detail-panel.tsx';
import { ListFrame } from '../kit/list-page.tsx';
import { ListTable } from '../kit/list-table.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { type Action, actionsOf, actionWords, proposalLabel, send } from './actions.ts';
import { InviteDialog } from './invite-dialog.tsx';

const rows = endpoints.operatorAccounts;

/** Operators with their roles, and proposals that need a second admin. */
export function OperatorsPage() {
  const query = useQuery({
    queryKey: ['operator', 'operators', 'list'],
    queryFn: ({ signal }) => call(rows.listOperators, { signal }),
  });
  const [isInviting, setInviting] = useState(false);
  const { begin, dialog, changed } = useDecisionDialog({
    version: 1,
    wordsOf: actionWords,
    mutation: useOperatorMutation(send, ['operators']),
  });
  return (
    <>
      <PageHead
        title="Operators"
        facts="New finance and admin accounts need two admins and 24 hours. Every operator uses two-factor authentication."
      >
        <Button leftSection={<IconUserPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setInviting(true)}>
          Invite operator
        </Button>
      </PageHead>
      {changed && <Banner tone="amber">{changed}</Banner>}
      <Proposals begin={begin} />
      <ListFrame>
        <ListTable
          label="Operators"
          columns={columnsOf(begin)}
          list={{ query, rows: query.data }}
          empty={{ icon: <IconUsersGroup size={20} stroke={1.5} />, title: 'No operators yet' }}
        />
      </ListFrame>
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
      {dialog}
    </>
  );
}

type Begin = (action: Action) => void;
const PROPOSALS_SHOWN = '100';

/** Open proposals about operators; nothing is drawn when there are none. */
function Proposals({ begin }: { begin: Begin }) {
  const { data } = useQuery({
    queryKey: ['operator', 'operators', 'proposals'],
    queryFn: ({ signal }) =>
      call(rows.listOperatorProposals, { query: { limit: PROPOSALS_SHOWN, open: 'true' }, signal }),
  });
  if (!data || data.items.length === 0) return null;
  return (
    <Panel title="Proposals" rule padded={false}>
      <Rows>
        {data.items.map((proposal) => {
          const of = { id: proposal.id, name: proposalLabel(proposal) };
          return (
            <Group key={proposal.id} component="li" gap="8px 12px" fz="sm">
              <Box flex="1 1 260px" miw={0} style={{ overflowWrap: 'anywhere' }}>
                {of.name}
                <Quiet>{statusOf(proposal)}</Quiet>
                <Quiet>“{proposal.why}”</Quiet>
              </Box>
              {proposal.may_approve && (
                <Button size="sm" onClick={() => begin({ kind: 'approve', ...of })}>
                  Approve
                </Button>
              )}
              <Button size="sm" variant="danger" onClick={() => begin({ kind: 'withdraw', ...of })}>
                Withdraw
              </Button>
            </Group>
          );
        })}
      </Rows>
    </Panel>
  );
}

/** Who proposed it, who approved it, and when it is executed. */
function statusOf({ proposed_by, proposed_at, approved_by, due_at }: OperatorProposal): string {
  const proposed = proposed_by
    ? `Proposed by ${proposed_by.name}, ${formatDateTime(proposed_at)}.`
    : `Requested on the server’s command line, ${formatDateTime(proposed_at)}.`;
  if (due_at === null) return `${proposed} A second admin has to approve it.`;
  const approved = approved_by === null ? '' : ` Approved by ${approved_by.name}.`;
  return `${proposed}${approved} Takes effect ${formatDateTime(due_at)}.`;
}

const states = {
  active: <StateBadge of="member" state="active" />,
  disabled: (
    <StateBadge of="member" state="frozen">
      Disabled
    </StateBadge>
  ),
  invited: (
    <StateBadge of="plan" state="paused">
      Invited
    </StateBadge>
  ),
  setting_up: (
    <StateBadge of="plan" state="paused">
      Setting up
    </StateBadge>
  ),
} satisfies Record<ListedOperator['state'], ReactNode>;

const columnsOf = (begin: Begin): readonly Column<ListedOperator>[] => [
  column('Operator', (row) => lines(`${row.name}${row.self ? ' (you)' : ''}`, row.email)),
  column('Role', (row) => row.role, { width: '100px' }),
  column('State', (row) => states[row.state], { width: '140px' }),
  column(
    'Sign-ins',
    ({ sign_ins, last_used_at: at }) => lines(sign_ins, at === null ? 'never used' : `last used ${formatDateTime(at)}`),
    { width: '232px', from: 'middle' },
  ),
  column('Since', (row) => formatDate(row.created_at), { width: '120px', from: 'wide' }),
  unlabelledColumn('Actions', (row) => <Actions operator={row} begin={begin} />, '80px'),
];

function Actions({ operator, begin }: { operator: ListedOperator; begin: Begin }) {
  const actions = actionsOf(operator);
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end" width="max-content">
      <Menu.Target>
        <Button size="sm" variant="subtle" aria-label={`Actions for ${operator.name}`}>
          <IconDots size={16} stroke={1.5} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => {
          const { button } = actionWords(action);
          return (
            <Menu.Item key={button} onClick={() => begin(action)}>
              {button}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
