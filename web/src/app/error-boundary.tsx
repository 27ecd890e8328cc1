import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { appInfo } from '../shared/app-info.ts';
import { ListState } from '../shared/ui/list-state.tsx';
import { SupportLink } from '../shared/ui/support-link.tsx';
import classes from './error-boundary.module.css';

type State = { isBroken: boolean };

/** When a page broke, or its part of the app could not be loaded. React itself logs what it was. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { isBroken: false };

  static getDerivedStateFromError(): State {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <main className={classes.page}>
        <title>{`Something went wrong · ${appInfo.brandName}`}</title>
        <ListState
          isPage
          error
          icon={<IconAlertTriangle size={20} stroke={1.5} />}
          title="This page could not be shown"
          action={<Button onClick={() => window.location.reload()}>Load it again</Button>}
        >
          Your money is not affected. If it happens again, write to <SupportLink reloadDocument />.
        </ListState>
      </main>
    );
  }
}
