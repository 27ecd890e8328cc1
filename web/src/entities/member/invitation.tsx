import { Button, Flex } from '@mantine/core';
import { IconShare2 } from '@tabler/icons-react';
import { appInfo } from '../../api/app-info.ts';
import { t } from '../../api/texts.ts';
import { CopyText } from '../../ui/forms/copy-button.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { QrCode } from '../../ui/text/qr-code.tsx';
import { CodeText } from '../../ui/text/text.tsx';
import classes from './invitation.module.css';

/** The member's invitation link: as a QR code, to copy or, where the device can, to share. */
export function Invitation({ referralCode }: { referralCode: string }) {
  const link = invitationLink(window.location.origin, referralCode);
  const canShare = typeof navigator.share === 'function';
  const share = async () => {
    try {
      await navigator.share({ title: appInfo.brandName, url: link });
    } catch (error) {
      // Closing the share sheet is a choice, not an error.
      if (!(error instanceof Error && error.name === 'AbortError'))
        toast.error(t`Sharing did not work. Copy the link instead.`);
    }
  };

  return (
    <Flex wrap="wrap" justify="center" gap={20}>
      <QrCode text={link} label={t`QR code of your invitation link`} />
      <div className={classes.words}>
        <p>
          {t`People who sign up with this link have you as their sponsor. Trading can lose money. Tell them when you invite them.`}
        </p>
        <div translate="no" className={classes.link} title={link}>
          <CodeText>{link}</CodeText>
        </div>
        <Flex wrap="wrap" gap={8}>
          <CopyText value={link} label={t`Copy link`} done={t`Link copied`} />
          {canShare && (
            <Button variant="default" onClick={share} leftSection={<IconShare2 size={16} stroke={1.5} aria-hidden />}>
              {t`Share`}
            </Button>
          )}
        </Flex>
      </div>
    </Flex>
  );
}

/** The address at which a new member signs up with this member as sponsor. */
export const invitationLink = (origin: string, referralCode: string): string =>
  `${origin}${paths.register}?referralCode=${encodeURIComponent(referralCode)}`;
