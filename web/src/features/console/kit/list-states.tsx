import { Skeleton } from '@mantine/core';
import { LoadError, useLate } from '../../../ui/table/data-table-states.tsx';

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

type DeskErrorProps = Pick<Parameters<typeof LoadError>[0], 'query'> & { title?: string };

/** What could not be read, with the id of the call for whoever looks into the logs. */
export const DeskError = ({ query, title = 'The list could not be loaded' }: DeskErrorProps) => (
  <LoadError query={query} title={title}>
    {(requestId) => (requestId ? <>In the logs it is {requestId}.</> : 'There was no answer. Check the connection.')}
  </LoadError>
);
