import { Button, Menu, VisuallyHidden } from '@mantine/core';
import { IconDots, IconUserPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ListedOperator } from '#contract/accounts/operators.ts';
import { formatDate, formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { ListFrame } from '../kit/list-page.tsx';
import { ListTable } from '../kit/list-table.tsx';
import { useDecisionDialog } from '../kit/use-decisions.tsx';
import { type Action, actionsOf, actionWords } from './actions.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { Proposals } from './proposals.tsx';
import { operatorsQuery, useAct } from './queries.ts';

/** The people who run it: who may what, who is invited, and what waits for a second admin. */
export function OperatorsPage() {
  const query = useQuery(operatorsQuery);
  const [isInviting, setInviting] = useState(false);
  const { begin, dialog, changed } = useDecisionDialog({ version: 1, wordsOf: actionWords, mutation: useAct() });
  return (
    <>
      <PageHead
        title="Operators"
        facts="New finance and admin accounts take two admins and 24 hours. Every operator has a second factor."
      >
        <Button leftSection={<IconUserPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setInviting(true)}>
          Invite
        </Button>
      </PageHead>
      {changed && <Banner tone="amber">{changed}</Banner>}
      <Proposals onAct={begin} />
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

const columnsOf = (begin: (action: Action) => void): readonly Column<ListedOperator>[] => [
  {
    key: 'name',
    label: 'Operator',
    render: (row) => (
      <>
        {row.name}
        {row.self && ' (you)'}
        <small>{row.email}</small>
      </>
    ),
  },
  { key: 'role', label: 'Role', width: '100px', render: (row) => row.role },
  {
    key: 'state',
    label: 'State',
    width: '140px',
    render: (row) => states[row.state],
  },
  {
    key: 'signIns',
    label: 'Sign-ins',
    width: '232px',
    from: 'middle',
    render: (row) => (
      <>
        {row.sign_ins}
        <small>{row.last_used_at === null ? 'never used' : `last used ${formatDateTime(row.last_used_at)}`}</small>
      </>
    ),
  },
  { key: 'since', label: 'Since', width: '120px', from: 'wide', render: (row) => formatDate(row.created_at) },
  {
    key: 'act',
    label: <VisuallyHidden>Actions</VisuallyHidden>,
    align: 'right',
    width: '64px',
    render: (row) => <Actions operator={row} begin={begin} />,
  },
];

function Actions({ operator, begin }: { operator: ListedOperator; begin: (action: Action) => void }) {
  const actions = actionsOf(operator);
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end" width="max-content">
      <Menu.Target>
        <Button size="sm" variant="subtle" aria-label={`What to do about ${operator.name}`}>
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
