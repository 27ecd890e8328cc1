import { IconAlertTriangle } from '@tabler/icons-react';
import { Component, type ReactNode } from 'react';
import { appInfo } from '../api/app-info.ts';
import { t } from '../api/texts.ts';
import { SupportLink } from '../ui/frame/support-link.tsx';
import { PlainButton } from '../ui/plain/button.tsx';
import { ListState } from '../ui/table/list-state.tsx';
import { Trans } from '../ui/text/text.tsx';
import { MissingPart } from './missing-part.tsx';
import { isMissingPart } from './reload-once.ts';

type State = { broken: 'page' | 'part' | undefined };

/** Shown when a page threw, or its code could not be loaded. React itself logs the error. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { broken: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { broken: isMissingPart(error) ? 'part' : 'page' };
  }

  override render() {
    const { broken } = this.state;
    if (broken === undefined) return this.props.children;
    return (
      <main style={{ display: 'flex', minHeight: '100vh' }}>
        {broken === 'part' ? <MissingPart /> : <BrokenPage />}
      </main>
    );
  }
}

const BrokenPage = () => (
  <>
    <title>{t`Something went wrong · ${appInfo.brandName}`}</title>
    <ListState
      isPage
      error
      icon={IconAlertTriangle}
      title={t`This page could not be displayed`}
      action={<PlainButton onClick={() => window.location.reload()}>{t`Reload page`}</PlainButton>}
    >
      <Trans
        text={t`Your money is not affected. If this happens again, contact <support/>.`}
        support={<SupportLink reloadDocument />}
      />
    </ListState>
  </>
);
