import { Box, Button, Group, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { passkeyRules } from '#contract/rules.ts';
import { canUsePasskeys, isNumeric } from '../../api/can-use-passkeys.ts';
import { t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { Rows } from '../../ui/layout/rows.tsx';
import { Words } from '../../ui/text/words.tsx';
import { NotLoaded } from './not-loaded.tsx';
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx';
import { passkeysQuery } from './queries.ts';

type Asked = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey };

/** docs/product.md, section 8, "Passkeys". */
export function PasskeysPanel() {
  const passkeys = useQuery(passkeysQuery);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const own = passkeys.data ?? [];
  const canAdd = passkeys.data !== undefined && canUsePasskeys() && own.length < passkeyRules.most;
  return (
    <Panel
      title={t`Passkeys`}
      padded={false}
      rule={own.length > 0}
      control={
        canAdd &&
        own.length > 0 && (
          <Button size="sm" variant="default" onClick={() => setAsked({ what: 'add' })}>
            {t`Add passkey`}
          </Button>
        )
      }
    >
      {own.length > 0 ? (
        <Rows>
          {own.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} onAsk={(what) => setAsked({ what, passkey })} />
          ))}
        </Rows>
      ) : (
        <Box px={{ base: 'md', sm: 20 }} pb="md" pt={4}>
          {passkeys.data ? (
            <>
              <Words>{t`No passkeys yet. Sign in with your finger, your face or the PIN of your device, without a password or code.`}</Words>
              {canAdd && (
                <Button variant="default" mt={14} onClick={() => setAsked({ what: 'add' })}>
                  {t`Add passkey`}
                </Button>
              )}
            </>
          ) : (
            <NotLoaded query={passkeys} />
          )}
        </Box>
      )}
      {passkeys.data && !canUsePasskeys() && (
        <Box px={{ base: 'md', sm: 20 }} pb="md">
          <Words>
            {isNumeric(window.location.hostname)
              ? t`Passkeys need a domain name or localhost.`
              : t`This browser does not support passkeys.`}
          </Words>
        </Box>
      )}
      <AddPasskeyDialog opened={asked?.what === 'add'} onClose={close} />
      <RenamePasskeyDialog passkey={asked?.what === 'rename' ? asked.passkey : undefined} onClose={close} />
      <RemovePasskeyDialog
        passkey={asked?.what === 'remove' ? asked.passkey : undefined}
        isLast={own.length === 1}
        onClose={close}
      />
    </Panel>
  );
}

function Row({ passkey, onAsk }: { passkey: Passkey; onAsk: (what: 'rename' | 'remove') => void }) {
  const { name, synced, created_at: added, last_used_at: used } = passkey;
  return (
    <Group component="li" gap="10px 14px">
      <IconFingerprint size={20} stroke={1.5} color="var(--tw-text-3)" aria-hidden />
      <Box flex="1 1 180px" miw={0}>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {t`Added ${formatDateTime(added)}`}
          {synced && ` · ${t`synced`}`}
        </Text>
        <Text size="xs" c="dimmed">
          {used === null ? t`Never used` : t`Last used ${formatDateTime(used)}`}
        </Text>
      </Box>
      <Group gap="xs">
        <Button size="sm" variant="default" aria-label={t`Rename: ${name}`} onClick={() => onAsk('rename')}>
          {t`Rename`}
        </Button>
        <Button size="sm" variant="default" aria-label={t`Remove: ${name}`} onClick={() => onAsk('remove')}>
          {t`Remove`}
        </Button>
      </Group>
    </Group>
  );
}
