import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { t } from '../../api/texts.ts';
import { PasskeysPanel } from '../../entities/member/passkeys-panel.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import { passkeysQuery } from './queries.ts';

type Asked = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey };

/** docs/product.md, section 8, "Passkeys". */
export function OwnPasskeys() {
  const passkeys = useQuery(passkeysQuery);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <PasskeysPanel
      passkeys={passkeys.data}
      unknown={<NotLoaded query={passkeys} />}
      empty={t`No passkeys yet. Sign in with your finger, your face or the PIN of your device, without a password or code.`}
      onAdd={() => setAsked({ what: 'add' })}
      onRename={(passkey) => setAsked({ what: 'rename', passkey })}
      onRemove={(passkey) => setAsked({ what: 'remove', passkey })}
    >
      <AddPasskeyDialog opened={asked?.what === 'add'} onClose={close} />
      <RenamePasskeyDialog passkey={asked?.what === 'rename' ? asked.passkey : undefined} onClose={close} />
      <RemovePasskeyDialog
        passkey={asked?.what === 'remove' ? asked.passkey : undefined}
        isLast={passkeys.data?.length === 1}
        onClose={close}
      />
    </PasskeysPanel>
  );
}
