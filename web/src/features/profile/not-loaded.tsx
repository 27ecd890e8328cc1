import { Button, Group } from '@mantine/core';
import { t } from '../../api/texts.ts';
import { Words } from '../../ui/text/words.tsx';

/** Replaces data that is loading or failed to load. */
export function NotLoaded({ query }: { query: { isError: boolean; isFetching: boolean; refetch: () => unknown } }) {
  if (!query.isError) return <Words>–</Words>;
  return (
    <div role="alert">
      <Words>{t`This could not be loaded. Try again.`}</Words>
      <Group mt={14}>
        <Button
          variant="default"
          disabled={query.isFetching}
          onClick={() => void query.refetch()}
        >{t`Try again`}</Button>
      </Group>
    </div>
  );
}
