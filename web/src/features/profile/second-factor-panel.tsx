import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Security } from '#contract/accounts/profile.ts';
import { plural, t } from '../../api/texts.ts';
import { securityQuery } from '../../entities/member/security-query.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { Paragraph } from '../../ui/text/paragraph.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { RenewCodesDialog, SetUpDialog, TurnOffDialog } from './second-factor-dialogs.tsx';

type Dialog = 'set-up' | 'renew' | 'turn-off';

/** docs/product.md, section 8. */
export function SecondFactorPanel() {
  const security = useQuery(securityQuery);
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const { data } = security;
  return (
    <Panel
      title={t`Two-factor authentication`}
      control={data && <StateBadge of="security" state={data.second_factor ? 'on' : 'off'} />}
    >
      {data?.second_factor_ends_at && (
        <Paragraph mb={14}>
          {t`It will be turned off on ${formatDateTime(data.second_factor_ends_at)}, because somebody told us that every device and all recovery codes were lost. Any use of it before then keeps it on, such as a sign-in or new recovery codes, unless your account is frozen. If you did not ask for this, press “This was not me” in our email.`}
        </Paragraph>
      )}
      {data ? <State security={data} onOpen={setDialog} /> : <NotLoaded query={security} />}
      <SetUpDialog opened={dialog === 'set-up'} onClose={close} hasPasskey={hasPasskey(data)} />
      <RenewCodesDialog opened={dialog === 'renew'} onClose={close} />
      <TurnOffDialog opened={dialog === 'turn-off'} onClose={close} hasPasskey={hasPasskey(data)} />
    </Panel>
  );
}

const hasPasskey = (security: Security | undefined) => security !== undefined && security.passkeys > 0;

/** At this number of codes left, the panel recommends new ones. */
const FEW_CODES = 2;

function State({ security, onOpen }: { security: Security; onOpen: (dialog: Dialog) => void }) {
  const left = security.recovery_codes_left;
  const codes = (
    <>
      {plural(left, { one: '# recovery code left.', other: '# recovery codes left.' })}
      {left <= FEW_CODES && ` ${t`Create new codes.`}`}
    </>
  );
  if (!security.app) {
    return (
      <>
        {security.second_factor ? (
          <Paragraph>
            {t`You sign in with a passkey, alone or after your password. An authenticator app works where your passkey does not.`}{' '}
            {codes}
          </Paragraph>
        ) : (
          <Paragraph>{t`Add an authenticator app so that signing in takes a code in addition to your password.`}</Paragraph>
        )}
        <Group gap="xs" mt={14}>
          <Button variant="default" onClick={() => onOpen('set-up')}>{t`Set up`}</Button>
          {security.second_factor && (
            <Button variant="default" onClick={() => onOpen('renew')}>{t`Create recovery codes`}</Button>
          )}
        </Group>
      </>
    );
  }
  return (
    <>
      <Paragraph>
        {hasPasskey(security)
          ? t`You sign in with a passkey, or with your password and a code from your authenticator app.`
          : t`You sign in with your password and a code from your authenticator app.`}{' '}
        {codes}
      </Paragraph>
      <Group gap="xs" mt={14}>
        <Button variant="default" onClick={() => onOpen('renew')}>{t`Create recovery codes`}</Button>
        <Button variant="danger" onClick={() => onOpen('turn-off')}>
          {hasPasskey(security) ? t`Remove app` : t`Turn off`}
        </Button>
      </Group>
    </>
  );
}
