import { Button, Group } from '@mantine/core';
import { Words } from '../../ui/text/words.tsx';

type NotLoadedProps = { query: { isError: boolean; isFetching: boolean; refetch: () => unknown } };

/** In the place of what is not there yet, or did not come. */
export function NotLoaded({ query }: NotLoadedProps) {
  if (!query.isError) return <Words>–</Words>;
  return (
    <div role="alert">
      <Words>It could not be loaded. Nothing was changed.</Words>
      <Group mt={14}>
        <Button variant="default" disabled={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      </Group>
    </div>
  );
}
