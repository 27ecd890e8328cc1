import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Security } from '#contract/accounts/profile.ts';
import { recoveryCodeRules } from '#contract/rules.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { Words } from '../../ui/text/words.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { securityQuery } from './queries.ts';
import { RenewCodesDialog, SetUpDialog, TurnOffDialog } from './second-factor-dialogs.tsx';

type Dialog = 'set-up' | 'renew' | 'turn-off';

/** A sign-in that takes more than a password (docs/product.md, section 8). */
export function SecondFactorPanel() {
  const security = useQuery(securityQuery);
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const { data } = security;
  return (
    <Panel
      title="Second factor"
      control={data && <StateBadge of="security" state={data.second_factor ? 'on' : 'off'} />}
    >
      {data ? <State security={data} onOpen={setDialog} /> : <NotLoaded query={security} />}
      <SetUpDialog opened={dialog === 'set-up'} onClose={close} />
      <RenewCodesDialog opened={dialog === 'renew'} onClose={close} />
      <TurnOffDialog opened={dialog === 'turn-off'} onClose={close} />
    </Panel>
  );
}

type StateProps = { security: Security; onOpen: (dialog: Dialog) => void };

/** From so many codes left on new ones are called for. */
const FEW_CODES = 2;

function State({ security, onOpen }: StateProps) {
  const left = security.recovery_codes_left;
  if (!security.second_factor) {
    return (
      <>
        <Words>
          Your password alone opens this account. With an authenticator app on your phone it takes a code as well.
        </Words>
        <Group gap="xs" mt={14}>
          <Button variant="default" onClick={() => onOpen('set-up')}>
            Turn on
          </Button>
        </Group>
      </>
    );
  }
  return (
    <>
      <Words>
        Signing in takes your password and a code of your authenticator app. {left} of {recoveryCodeRules.count}{' '}
        recovery codes {left === 1 ? 'is' : 'are'} left.
        {left <= FEW_CODES && ' Make new ones before you run out of them.'}
      </Words>
      <Group gap="xs" mt={14}>
        <Button variant="default" onClick={() => onOpen('renew')}>
          New recovery codes
        </Button>
        <Button variant="danger" onClick={() => onOpen('turn-off')}>
          Turn off
        </Button>
      </Group>
    </>
  );
}
