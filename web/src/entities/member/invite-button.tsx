import { Button, type ButtonProps } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMember } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { Invitation } from './invitation.tsx';

/** Opens the member's invitation as a dialog. */
export function InviteButton({ variant }: Pick<ButtonProps, 'variant'>) {
  const code = useMember()?.referral_code;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant={variant}
        disabled={code === undefined}
        leftSection={<IconUserPlus size={16} stroke={1.5} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t`Invite`}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t`Invite someone`} size={520}>
        {code !== undefined && <Invitation referralCode={code} />}
      </Dialog>
    </>
  );
}
