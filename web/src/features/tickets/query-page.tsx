import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { paths } from '../../ui/paths.ts';
import { TicketList } from './ticket-list.tsx';

/** All queries of the member, with what support answered. */
export function QueryPage() {
  return (
    <>
      <PageHead title="Query" facts="Questions to support, and their answers">
        <Button component={Link} to={paths.newQuery} leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}>
          New query
        </Button>
      </PageHead>
      <TicketList />
    </>
  );
}
