import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from 'react-router';
import { operatorPaths } from '../../../ui/paths.ts';
import { ListState } from '../../../ui/table/list-state.tsx';

/** An address of the console that nothing is at, or that another role has. */
export function NoPage() {
  return (
    <ListState
      isPage
      icon={<IconMapQuestion size={20} stroke={1.5} />}
      title="There is no such page for your role"
      action={
        <Button component={Link} to={operatorPaths.console} variant="default">
          To the first page
        </Button>
      }
    >
      The address may be mistyped, or the page belongs to another role.
    </ListState>
  );
}
