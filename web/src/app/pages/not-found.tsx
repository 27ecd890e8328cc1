import { Button } from '@mantine/core';
import { IconMapPinOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { useSignedIn } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { paths } from '../../ui/paths.ts';
import { ListState } from '../../ui/table/list-state.tsx';

/** For unknown addresses and unknown symbols. */
export function NotFoundPage() {
  const isSignedIn = useSignedIn();
  return (
    <>
      <title>{t`Not found · ${appInfo.brandName}`}</title>
      <ListState
        isPage
        icon={IconMapPinOff}
        title={t`This page does not exist`}
        action={
          <Button component={Link} to={isSignedIn ? paths.dashboard : paths.login} variant="default">
            {isSignedIn ? t`Go to the dashboard` : t`Go to sign in`}
          </Button>
        }
      >
        {t`The address may be mistyped, or the page was moved.`}
      </ListState>
    </>
  );
}
