import { Button } from '@mantine/core';
import classes from './security.module.css';

type NotLoadedProps = { query: { isError: boolean; isFetching: boolean; refetch: () => unknown } };

/** In the place of what is not there yet, or did not come. */
export function NotLoaded({ query }: NotLoadedProps) {
  if (!query.isError) return <p className={classes.words}>–</p>;
  return (
    <div role="alert">
      <p className={classes.words}>It could not be loaded. Nothing was changed.</p>
      <div className={classes.buttons}>
        <Button variant="default" disabled={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
      </div>
    </div>
  );
}
