import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { appInfo } from '../../shared/app-info.ts';
import { ListState } from '../../shared/ui/list-state.tsx';
import classes from './error.module.css';

/** When a page broke, or its part of the app could not be loaded. */
export function ErrorPage() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <main className={classes.page}>
      <title>{`Something went wrong · ${appInfo.brandName}`}</title>
      <ListState
        error
        icon={<IconAlertTriangle size={20} stroke={1.5} />}
        title="This page could not be shown"
        action={<Button onClick={() => window.location.reload()}>Load it again</Button>}
      >
        Your money is not affected. If it happens again, write to {appInfo.supportEmail ?? 'support'}.
      </ListState>
    </main>
  );
}
