import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { appInfo } from '../api/app-info.ts';
import { SupportLink } from '../ui/frame/support-link.tsx';
import { ListState } from '../ui/table/list-state.tsx';
import { reloadOnce } from './reload-once.ts';

const reloadPage = () => window.location.reload();

/** In place of a page whose code did not come. */
export function MissingPart({ reload = reloadPage }: { reload?: () => void }) {
  const [isTrying, setIsTrying] = useState(true);
  useEffect(() => {
    const giveUp = reloadOnce(reload);
    setIsTrying(giveUp !== undefined);
    return giveUp;
  }, [reload]);

  return (
    <>
      <title>{`Page not loaded · ${appInfo.brandName}`}</title>
      <ListState
        isPage
        error
        icon={<IconRefresh size={20} stroke={1.5} />}
        title="This page could not be loaded"
        action={<Button onClick={reload}>Load it again</Button>}
      >
        {isTrying ? (
          'The app was updated, or the connection was interrupted. This page tries again by itself.'
        ) : (
          <>
            It was tried again already. Check your connection. If it happens again, write to{' '}
            <SupportLink reloadDocument />.
          </>
        )}
      </ListState>
    </>
  );
}
