import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { CallError } from '../../../api/call.ts';
import { paths } from '../../../ui/paths.ts';
import { type ListQuery, TableError } from '../../../ui/table/data-table-states.tsx';
import { ListState } from '../../../ui/table/list-state.tsx';

/** A deposit that is not there, or not yours, is said as that; anything else may work at the next try. */
export function DepositError({ query }: { query: ListQuery }) {
  const { error } = query;
  if (!(error instanceof CallError) || (error.status !== 404 && error.status !== 422))
    return <TableError query={query} />;
  return (
    <ListState
      error
      icon={<IconAlertTriangle size={20} stroke={1.5} />}
      title="This deposit does not exist."
      action={
        <Button component={Link} to={paths.depositHistory} variant="default">
          Your deposits
        </Button>
      }
    >
      The address may be mistyped. Your money is not affected.
    </ListState>
  );
}
