import { Group } from '@mantine/core';
import { t } from '../../api/texts.ts';
import { TryAgain } from '../../ui/table/try-again.tsx';
import { Paragraph } from '../../ui/text/paragraph.tsx';

/** Replaces data that is loading or failed to load. */
export function NotLoaded({ query }: { query: { isError: boolean; isFetching: boolean; refetch: () => unknown } }) {
  if (!query.isError) return <Paragraph>–</Paragraph>;
  return (
    <div role="alert">
      <Paragraph>{t`This could not be loaded. Try again.`}</Paragraph>
      <Group mt={14}>
        <TryAgain query={query} />
      </Group>
    </div>
  );
}
