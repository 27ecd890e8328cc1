import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { DeskTicket } from '#contract/tickets/tickets.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import classes from './assign-menu.module.css';
import { readersQuery, useAssign } from './queries.ts';
import { useKeys } from './use-keys.ts';

const NOBODY = '';

/** Who looks after it: oneself by one press, or any colleague who answers. The member sees nothing of it. */
export function AssignMenu({ ticket, operator }: { ticket: DeskTicket; operator: Operator }) {
  const { data: readers } = useQuery(readersQuery);
  const assign = useAssign(ticket);
  const isMine = ticket.assigned_to?.id === operator.id;
  const give = (to: string) => {
    if (!assign.isPending && to !== (ticket.assigned_to?.id ?? NOBODY)) assign.mutate(to === NOBODY ? null : to);
  };
  useKeys({ t: () => give(operator.id) });
  return (
    <div className={classes.row}>
      <Menu position="bottom-start" width="max-content" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            size="sm"
            variant="default"
            aria-label={`Assigned to ${ticket.assigned_to?.name ?? 'nobody'}`}
            rightSection={<IconChevronDown size={14} stroke={1.5} aria-hidden />}
          >
            {ticket.assigned_to?.name ?? 'Nobody'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup value={ticket.assigned_to?.id ?? NOBODY} onChange={give}>
            <Menu.RadioItem value={NOBODY} closeMenuOnClick>
              Nobody
            </Menu.RadioItem>
            {readers?.items.map(({ id, name, role }) => (
              <Menu.RadioItem key={id} value={id} closeMenuOnClick>
                {name}, {id === operator.id ? 'you' : role}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      {!isMine && (
        <BusyButton
          size="sm"
          variant="default"
          busy={assign.isPending}
          busyLabel="Taking"
          onClick={() => give(operator.id)}
        >
          Take it
        </BusyButton>
      )}
    </div>
  );
}
