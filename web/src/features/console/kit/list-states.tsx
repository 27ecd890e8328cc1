import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconFilter, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CallError } from '../../../api/call.ts';
import { type Empty, useLate } from '../../../ui/table/data-table-states.tsx';
import { ListState } from '../../../ui/table/list-state.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';

/** Still places of what comes, once a person would wonder where it is. */
export function DeskLoading() {
  if (!useLate(true)) return null;
  return (
    <>
      <Skeleton height={92} radius="lg" role="status" aria-label="Loading" />
      <Skeleton height={280} radius="lg" />
    </>
  );
}

type Retry = { error: unknown; isFetching: boolean; refetch: () => unknown };

/** What could not be read, with the id of the call for whoever looks into the logs, and Try again. */
export function DeskError({ query, title = 'The list could not be loaded' }: { query: Retry; title?: string }) {
  const requestId = query.error instanceof CallError ? query.error.requestId : undefined;
  return (
    <ListState
      error
      icon={<IconAlertTriangle size={20} stroke={1.5} />}
      title={title}
      action={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.5} />}
          disabled={query.isFetching}
          onClick={() => query.refetch()}
        >
          Try again
        </Button>
      }
    >
      {requestId ? (
        <>
          In the logs it is <CodeText>{requestId}</CodeText>.
        </>
      ) : (
        'There was no answer. Check the connection.'
      )}
    </ListState>
  );
}

type Filtered = { title: ReactNode; text?: ReactNode; onClear: () => void };

/** Nothing is here, or a filter hides all. */
export function DeskEmpty({ empty, filtered }: { empty: Empty; filtered: Filtered | undefined }) {
  if (!filtered) {
    return (
      <ListState icon={empty.icon} title={empty.title} action={empty.action}>
        {empty.text}
      </ListState>
    );
  }
  return (
    <ListState
      icon={<IconFilter size={20} stroke={1.5} />}
      title={filtered.title}
      action={
        <Button variant="default" onClick={filtered.onClear}>
          Clear the filter
        </Button>
      }
    >
      {filtered.text}
    </ListState>
  );
}
