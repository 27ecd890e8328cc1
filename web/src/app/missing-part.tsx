import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { appInfo } from '../api/app-info.ts';
import { t } from '../api/texts.ts';
import { SupportLink } from '../ui/frame/support-link.tsx';
import { PlainButton } from '../ui/plain/button.tsx';
import { ListState } from '../ui/table/list-state.tsx';
import { Trans } from '../ui/text/text.tsx';
import { reloadOnce } from './reload-once.ts';

const reloadPage = () => window.location.reload();

/** Replaces a page whose code could not be loaded. */
export function MissingPart({ reload = reloadPage }: { reload?: () => void }) {
  const [isTrying, setIsTrying] = useState(true);
  useEffect(() => {
    const giveUp = reloadOnce(reload);
    setIsTrying(giveUp !== undefined);
    return giveUp;
  }, [reload]);

  return (
    <>
      <title>{t`Page not loaded · ${appInfo.brandName}`}</title>
      <ListState
        isPage
        error
        icon={IconRefresh}
        title={t`This page could not be loaded`}
        action={<PlainButton onClick={reload}>{t`Reload page`}</PlainButton>}
      >
        {isTrying ? (
          t`The app was updated, or the connection was interrupted. The page reloads as soon as the server answers.`
        ) : (
          <Trans
            text={t`Reloading did not help. Check your connection. If this happens again, contact <support/>.`}
            support={<SupportLink reloadDocument />}
          />
        )}
      </ListState>
    </>
  );
}
