import { Box, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '#contract/accounts/passkeys.ts';
import { operatorPasskeys } from '#contract/endpoints.ts';
import { isRequired, labels, passkeyRules } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { PasskeysPanel } from '../../../entities/member/passkeys-panel.tsx';
import { useLast } from '../../../ui/forms/dialog.tsx';
import classes from '../../../ui/forms/dialog-form.module.css';
import { PasswordField } from '../../../ui/forms/password-field.tsx';
import { CodeField, codeError } from '../kit/code-field.tsx';
import { SendDialog } from '../kit/dialog-form.tsx';
import { LoadFailed } from '../kit/list-table.tsx';
import { operatorMeQuery } from '../shell/queries.ts';
import { addPasskey } from './use-add-passkey.ts';

const OWN = ['passkeys', 'me', 'own-sessions'];

const passkeysQuery = queryOf(['operator', 'passkeys'], operatorPasskeys.listOperatorPasskeys);

const nameError = (name: string) => (name === '' ? { name: 'Enter a name.' } : {});
const passwordError = (password: string) => (password === '' ? { password: isRequired(labels.password) } : {});

/** The operator's own passkeys; adding and removing one requires password and confirmation. */
export function OperatorPasskeys() {
  const query = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey>();
  const [removed, setRemoved] = useState<Passkey>();
  return (
    <PasskeysPanel
      passkeys={query.data}
      unknown={query.isError ? <LoadFailed query={query} /> : <Box mih={96} />}
      empty="No passkeys yet. Confirm sign-ins and decisions with your finger, your face or the PIN of your device. No copied page can ask for it."
      onAdd={() => setAdding(true)}
      onRename={setRenamed}
      onRemove={setRemoved}
    >
      <AddDialog opened={isAdding} onClose={() => setAdding(false)} />
      <RenameDialog passkey={renamed} onClose={() => setRenamed(undefined)} />
      <RemoveDialog passkey={removed} onClose={() => setRemoved(undefined)} />
    </PasskeysPanel>
  );
}

/** Once there is a passkey, only a passkey can authorise another. */
function AddDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const me = useQuery(operatorMeQuery);
  const requiresPasskey = (me.data?.passkeys ?? 0) > 0;
  return (
    <SendDialog
      {...{ opened, onClose }}
      title="Add a passkey"
      initial={{ name: '', password: '', otp: '' }}
      requiresPasskey={requiresPasskey}
      check={({ name, password, otp }) => ({ ...nameError(name), ...passwordError(password), ...codeError(otp) })}
      confirm="Add passkey"
      busyLabel="Adding"
      send={addPasskey}
      refreshes={OWN}
      done={({ name }) => ['Passkey added', `${name}. All other devices were signed out.`]}
    >
      {({ typed, code }) => (
        <>
          <div className={classes.words}>
            Your device makes the passkey. <Consequences />
          </div>
          <TextInput
            label="Name"
            description="For example the device it is on."
            autoComplete="off"
            maxLength={passkeyRules.nameLength}
            {...typed('name')}
          />
          <PasswordField label="Current password" autoComplete="current-password" {...typed('password')} />
          <CodeField {...code('otp')} />
        </>
      )}
    </SendDialog>
  );
}

/** A change of finance or an admin is emailed to everybody, one of support only to its owner. */
function Consequences() {
  const { role } = useOperator();
  const told = role === 'support' ? 'you are emailed' : 'all operators are emailed';
  return `All your other devices are signed out, and ${told}.`;
}

type OneProps = { passkey: Passkey | undefined; onClose: () => void };

function RenameDialog({ passkey, onClose }: OneProps) {
  const last = useLast(passkey);
  return (
    <SendDialog
      opened={passkey !== undefined}
      onClose={onClose}
      title="Rename passkey"
      initial={{ name: last?.name ?? '' }}
      check={({ name }) => nameError(name)}
      confirm="Rename"
      busyLabel="Saving"
      send={(body) => call(operatorPasskeys.renameOperatorPasskey, { params: { id: last?.id ?? '' }, body })}
      refreshes={OWN}
      done={() => ['Passkey renamed']}
    >
      {({ typed }) => (
        <TextInput label="Name" autoComplete="off" maxLength={passkeyRules.nameLength} {...typed('name')} />
      )}
    </SendDialog>
  );
}

function RemoveDialog({ passkey, onClose }: OneProps) {
  const last = useLast(passkey);
  return (
    <SendDialog
      opened={passkey !== undefined}
      onClose={onClose}
      title="Remove passkey"
      initial={{ password: '', otp: '' }}
      check={({ password, otp }) => ({ ...passwordError(password), ...codeError(otp) })}
      danger
      confirm="Remove passkey"
      busyLabel="Removing"
      send={(body) => call(operatorPasskeys.removeOperatorPasskey, { params: { id: last?.id ?? '' }, body })}
      refreshes={OWN}
      done={() => ['Passkey removed', 'All other devices were signed out.']}
    >
      {({ typed, code }) => (
        <>
          <div className={classes.words}>
            <b>{last?.name}</b> no longer signs you in. Remove it on the device too. <Consequences />
          </div>
          <PasswordField label="Current password" autoComplete="current-password" {...typed('password')} />
          <CodeField {...code('otp')} />
        </>
      )}
    </SendDialog>
  );
}
