import { Button, Flex } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { appInfo } from '../api/app-info.ts';
import { t } from '../api/texts.ts';
import { SupportLink } from '../ui/frame/support-link.tsx';
import { ListState } from '../ui/table/list-state.tsx';
import { Trans } from '../ui/text/trans.tsx';
import { MissingPart } from './missing-part.tsx';
import { isMissingPart } from './reload-once.ts';

type State = { broken: 'page' | 'part' | undefined };

/** When a page broke, or its part of the app could not be loaded. React itself logs what it was. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { broken: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { broken: isMissingPart(error) ? 'part' : 'page' };
  }

  override render() {
    const { broken } = this.state;
    if (broken === undefined) return this.props.children;
    if (broken === 'part')
      return (
        <Flex component="main" mih="100vh">
          <MissingPart />
        </Flex>
      );
    return (
      <Flex component="main" mih="100vh">
        <title>{t`Something went wrong · ${appInfo.brandName}`}</title>
        <ListState
          isPage
          error
          icon={<IconAlertTriangle size={20} stroke={1.5} />}
          title={t`This page could not be displayed`}
          action={<Button onClick={() => window.location.reload()}>{t`Reload page`}</Button>}
        >
          <Trans
            text={t`Your money is not affected. If this happens again, contact <support/>.`}
            support={<SupportLink reloadDocument />}
          />
        </ListState>
      </Flex>
    );
  }
}
