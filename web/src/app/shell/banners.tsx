import { Box, Button, Group } from '@mantine/core';
import { IconAlertTriangle, IconEye, IconHandStop, IconUserQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useRef } from 'react';
import { sessionQuery } from '../../api/market/queries.ts';
import { meQuery } from '../../api/me-query.ts';
import { useConfirmation, useMember, useOpenedBy, useRefusedUnconfirmed } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { useConfirmIdentity, useSignOut } from '../../features/profile/queries.ts';
import { formatTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Banner } from '../../ui/frame/banner.tsx';
import { SupportLink } from '../../ui/frame/support-link.tsx';
import { Trans } from '../../ui/text/text.tsx';

/** A line over every page, for a banner. */
const Strip = (props: ComponentProps<'section'> & { 'aria-label': string }) => (
  <Box
    component="section"
    px={{ base: 'md', sm: 'lg' }}
    py="sm"
    style={{ borderBottom: '1px solid var(--tw-line)' }}
    {...props}
  />
);

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
        icon={IconUserQuestion}
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

/** Over every page while an operator views a member's account: who, until when, and a button to end it. */
export function OpenedBanner() {
  const openedBy = useOpenedBy();
  const signOut = useSignOut();
  if (openedBy === undefined) return null;
  return (
    <Strip aria-label={t`Support access`}>
      <Banner
        tone="amber"
        icon={IconEye}
        title={t`Support access by ${openedBy.name}`}
        action={
          <BusyButton variant="default" busy={signOut.isPending} busyLabel={t`Ending`} onClick={() => signOut.mutate()}>
            {t`End access`}
          </BusyButton>
        }
      >
        {t`Read-only until ${formatTime(openedBy.until)} UTC.`}
      </Banner>
    </Strip>
  );
}

/** Over every page while operators have frozen the account: what is still possible (docs/product.md, section 8). */
export function FrozenBanner() {
  const { data: me } = useQuery(meQuery);
  if (!me?.frozen) return null;
  return (
    <Strip aria-label={t`Your account is frozen`}>
      <Banner tone="loss" icon={IconAlertTriangle} title={t`Your account is frozen`}>
        <Trans
          text={t`You can sign in and view your account. Open trades settle as usual. You cannot place trades, deposit or withdraw. Write to <support/> for details.`}
          support={<SupportLink />}
        />
      </Banner>
    </Strip>
  );
}

/** Over every page while operators halt trading: the reason, and what continues regardless. */
export function HaltBanner() {
  const { data: session } = useQuery(sessionQuery);
  if (!session?.halt) return null;
  return (
    <Strip aria-label={t`Trading is halted`}>
      <Banner tone="amber" icon={IconHandStop} title={t`Trading is halted`}>
        {session.halt.reason}
        <br />
        {t`You cannot place trades for now. Open trades continue, and you can close them at any time.`}
      </Banner>
    </Strip>
  );
}
