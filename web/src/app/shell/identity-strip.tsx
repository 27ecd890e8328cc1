import { Button, Group } from '@mantine/core';
import { IconUserQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { meQuery } from '../../api/me-query.ts';
import { useConfirmation, useMember, useRefusedUnconfirmed } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { useConfirmIdentity, useSignOut } from '../../features/profile/queries.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Banner } from '../../ui/frame/banner.tsx';
import { Strip } from './strip.tsx';

/**
 * Over every page while the token came with an address: names the account, because the sender of the address may have
 * put in a token of their own account. A call refused for this reason scrolls the strip into view.
 */
export function IdentityStrip() {
  const confirmation = useConfirmation();
  const refused = useRefusedUnconfirmed();
  const { data: me } = useQuery({ ...meQuery, enabled: false });
  const member = useMember();
  const confirm = useConfirmIdentity();
  const signOut = useSignOut();
  const strip = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (refused === 0) return;
    strip.current?.scrollIntoView({ block: 'center' });
    strip.current?.focus({ preventScroll: true });
  }, [refused]);

  if (confirmation === undefined && refused === 0 && !me?.confirm_identity) return null;
  const name = member?.name ?? '';
  return (
    <Strip ref={strip} tabIndex={-1} aria-label={t`Confirm whose account this is`}>
      <Banner
        tone={refused === 0 ? 'neutral' : 'loss'}
        icon={<IconUserQuestion size={20} stroke={1.5} />}
        title={t`Signed in as ${name}. Not you?`}
        action={
          <Group gap="xs">
            {confirmation !== undefined && (
              <BusyButton
                busy={confirm.isPending}
                busyLabel={t`Confirming`}
                onClick={() => confirm.mutate(confirmation)}
              >
                {t`This is me`}
              </BusyButton>
            )}
            <Button variant="default" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
              {t`Sign out`}
            </Button>
          </Group>
        }
      >
        {confirmation === undefined
          ? t`This account was opened with a link in another browser. Sign out, then sign in again to use it here.`
          : t`A link opened the account ${member?.referral_code ?? ''}. You cannot deposit or change its details until you confirm that it is yours.`}
      </Banner>
    </Strip>
  );
}
