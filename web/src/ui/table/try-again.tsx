import { Button, type ButtonProps } from '@mantine/core';
import { t } from '../../api/texts.ts';

type TryAgainProps = ButtonProps & { query: { isFetching: boolean; refetch: () => unknown } };

/** Loads what failed again. Disabling it while loading would lose the focus. */
export const TryAgain = ({ query, ...button }: TryAgainProps) => (
  <Button
    variant="default"
    {...button}
    aria-disabled={query.isFetching || undefined}
    data-disabled={query.isFetching || undefined}
    onClick={() => !query.isFetching && void query.refetch()}
  >
    {t`Try again`}
  </Button>
);
