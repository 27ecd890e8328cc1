import { Box, Button, Group, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { passkeyRules } from '#contract/rules.ts';
import { canUsePasskeys, isNumeric } from '../../api/can-use-passkeys.ts';
import { t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { Note, Paragraph } from '../../ui/text/paragraph.tsx';

type PasskeysPanelProps = {
  /** Undefined while loading. */
  passkeys: readonly Passkey[] | undefined;
  /** Shown instead while loading. */
  unknown: ReactNode;
  /** What a passkey is for, while there is none. */
  empty: string;
  onAdd: () => void;
  onRename: (passkey: Passkey) => void;
  onRemove: (passkey: Passkey) => void;
  /** The dialogs that these open. */
  children: ReactNode;
};

/** Passkeys, which sign in with a finger, a face or a PIN: for members and operators alike. */
export function PasskeysPanel(props: PasskeysPanelProps) {
  const { passkeys, unknown, empty, onAdd, onRename, onRemove, children } = props;
  const own = passkeys ?? [];
  const canAdd = passkeys !== undefined && canUsePasskeys() && own.length < passkeyRules.most;
  return (
    <Panel
      title={t`Passkeys`}
      padded={false}
      rule={own.length > 0}
      control={
        canAdd &&
        own.length > 0 && (
          <Button size="sm" variant="default" onClick={onAdd}>
            {t`Add passkey`}
          </Button>
        )
      }
    >
      {own.length > 0 ? (
        <Rows>
          {own.map((passkey) => (
            <Row
              key={passkey.id}
              passkey={passkey}
              onRename={() => onRename(passkey)}
              onRemove={() => onRemove(passkey)}
            />
          ))}
        </Rows>
      ) : (
        <Box px={{ base: 'md', sm: 20 }} pb="md" pt={4}>
          {passkeys ? (
            <>
              <Paragraph>{empty}</Paragraph>
              {canAdd && (
                <Button variant="default" mt={14} onClick={onAdd}>
                  {t`Add passkey`}
                </Button>
              )}
            </>
          ) : (
            unknown
          )}
        </Box>
      )}
      {passkeys && !canUsePasskeys() && (
        <Box px={{ base: 'md', sm: 20 }} pb="md">
          <Paragraph>
            {isNumeric(window.location.hostname)
              ? t`Passkeys need a domain name or localhost.`
              : t`This browser does not support passkeys.`}
          </Paragraph>
        </Box>
      )}
      {children}
    </Panel>
  );
}

function Row({ passkey, onRename, onRemove }: { passkey: Passkey; onRename: () => void; onRemove: () => void }) {
  const { name, synced, created_at: added, last_used_at: used } = passkey;
  return (
    <Group component="li" gap={14} wrap="nowrap" align="flex-start">
      <IconFingerprint size={20} stroke={1.5} color="var(--tw-text-3)" aria-hidden />
      <Group flex={1} miw={0} gap="10px 14px">
        <Box flex="1 1 180px" miw={0}>
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Note>
            {t`Added ${formatDateTime(added)}`}
            {synced && ` · ${t`synced`}`}
          </Note>
          <Note>{used === null ? t`Never used` : t`Last used ${formatDateTime(used)}`}</Note>
        </Box>
        <Group gap="xs">
          <Button size="sm" variant="default" aria-label={t`Rename: ${name}`} onClick={onRename}>
            {t`Rename`}
          </Button>
          <Button size="sm" variant="default" aria-label={t`Remove: ${name}`} onClick={onRemove}>
            {t`Remove`}
          </Button>
        </Group>
      </Group>
    </Group>
  );
}
