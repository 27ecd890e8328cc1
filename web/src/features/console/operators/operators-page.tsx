import { Button, Menu, VisuallyHidden } from '@mantine/core';
import { IconDots, IconUserPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedOperator } from '#contract/accounts/operators.ts';
import { formatDate, formatDateTime } from '../../../ui/format/time.ts';
import { PageHead } from '../../../ui/frame/page-head.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { DecisionDialog } from '../kit/decision-dialog.tsx';
import { ListFrame } from '../kit/list-page.tsx';
import { ListTable } from '../kit/list-table.tsx';
import { type Action, actionsOf, actionWords } from './actions.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { Proposals } from './proposals.tsx';
import { operatorsQuery, useAct } from './queries.ts';

/** The people who run it: who may what, who is invited, and what waits for a second admin. */
export function OperatorsPage() {
  const query = useQuery(operatorsQuery);
  const act = useAct();
  const [action, setAction] = useState<Action>();
  const [isOpen, setOpen] = useState(false);
  const [isInviting, setInviting] = useState(false);
  const begin = (next: Action) => {
    setAction(next);
    setOpen(true);
  };
  const words = action && actionWords(action);
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
      {action && words && (
        <DecisionDialog
          opened={isOpen}
          onClose={() => setOpen(false)}
          title={words.title}
          asks={words}
          confirm={words.confirm}
          busyLabel={words.busy}
          danger={words.danger ?? false}
          isBusy={act.isPending}
          onConfirm={(values, onError) =>
            act.mutate(
              { action, values },
              {
                onSuccess: () => {
                  setOpen(false);
                  toast.success(words.done);
                },
                onError,
              },
            )
          }
        >
          {words.text}
        </DecisionDialog>
      )}
    </>
  );
}

function State({ operator }: { operator: ListedOperator }) {
  switch (operator.state) {
    case 'active':
      return <StateBadge of="member" state="active" />;
    case 'disabled':
      return (
        <StateBadge of="member" state="frozen">
          Disabled
        </StateBadge>
      );
    case 'invited':
      return (
        <StateBadge of="plan" state="paused">
          Invited
        </StateBadge>
      );
    case 'setting_up':
      return (
        <StateBadge of="plan" state="paused">
          Setting up
        </StateBadge>
      );
  }
}

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
    render: (row) => <State operator={row} />,
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
