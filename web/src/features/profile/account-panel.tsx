import { Box, Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { User } from '#contract/accounts/sign-in.ts';
import { mobileMaxLength } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { personRules, problemsOf } from '../../entities/member/check.ts';
import { PhoneFields } from '../../entities/member/phone-fields.tsx';
import { formatDate } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { CopyIcon } from '../../ui/forms/copy-button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import classes from '../../ui/forms/dialog-form.module.css';
import { Panel } from '../../ui/frame/panel.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Avatar } from '../../ui/text/avatar.tsx';
import { CodeText } from '../../ui/text/code-text.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { useUpdateProfile } from './queries.ts';

type AccountPanelProps = {
  user: User;
  /** undefined while it is not known; null for nobody. */
  sponsor: string | null | undefined;
  frozen: boolean;
};

/** Who the member is to us. */
export function AccountPanel({ user, sponsor, frozen }: AccountPanelProps) {
  const [isEditing, setEditing] = useState(false);
  return (
    <Panel
      title="Account"
      control={
        frozen ? (
          <StateBadge of="member" state="frozen" />
        ) : (
          <Button size="sm" variant="default" aria-label="Edit name and mobile" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
    >
      <Group gap={14} mb="sm" wrap="nowrap">
        <Avatar name={user.name} size={48} />
        <Box miw={0}>
          <Text size="xl" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {user.name}
          </Text>
          <Text size="sm" c="dimmed">
            Member since {formatDate(user.created_at)}
          </Text>
        </Box>
      </Group>
      <KeyValues
        rule
        items={[
          [
            'Registered Id',
            <Group key="id" component="span" display="inline-flex" gap={4} my={-4}>
              <CodeText>{user.referral_code}</CodeText>
              <CopyIcon value={user.referral_code} what="Registered Id" />
            </Group>,
          ],
          ['Mobile', user.mobile_number],
          ['Invited by', sponsor === undefined ? '–' : (sponsor ?? 'nobody')],
        ]}
      />
      <DetailsDialog user={user} opened={isEditing} onClose={() => setEditing(false)} />
    </Panel>
  );
}

type DetailsDialogProps = { user: User; opened: boolean; onClose: () => void };

/** Name and mobile number, under the rules of the registration. */
export function DetailsDialog({ user, opened, onClose }: DetailsDialogProps) {
  const update = useUpdateProfile();
  return (
    <Dialog
      isSheet
      withCloseButton={false}
      opened={opened}
      onClose={onClose}
      title="Your details"
      isHeld={update.isPending}
    >
      <DetailsForm user={user} update={update} onClose={onClose} />
    </Dialog>
  );
}

const { dialCode, mobile, name } = personRules;

type DetailsFormProps = { user: User; update: ReturnType<typeof useUpdateProfile>; onClose: () => void };

/** Made anew each time the dialog opens, so that it begins with what is in force. */
function DetailsForm({ user, update, onClose }: DetailsFormProps) {
  const known = user.mobile_number.slice(0, -mobileMaxLength);
  const form = useForm({
    initialValues: { name: user.name, dialCode: known, mobile: user.mobile_number.slice(-mobileMaxLength) },
    validate: (values) => problemsOf({ name, dialCode, mobile }, values),
  });

  const submit = form.onSubmit((values) =>
    update.mutate(
      { name: values.name.trim(), mobile_number: `${values.dialCode}${values.mobile}` },
      {
        onSuccess: () => {
          toast.success('Details saved');
          onClose();
        },
        onError: (error) => {
          if (!(error instanceof CallError)) return;
          const { mobile_number, ...fields } = error.fields;
          form.setErrors(mobile_number === undefined ? fields : { ...fields, mobile: mobile_number });
        },
      },
    ),
  );

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput label="Name" autoComplete="name" data-autofocus {...form.getInputProps('name')} />
      <PhoneFields
        dialCodeError={form.errors.dialCode}
        knownDialCode={known}
        onDialCode={(chosen) => form.setFieldValue('dialCode', chosen)}
        mobile={form.getInputProps('mobile')}
        onMobile={(digits) => form.setFieldValue('mobile', digits)}
      />
      <div className={classes.actions}>
        <Button variant="subtle" disabled={update.isPending} onClick={onClose}>
          Cancel
        </Button>
        <BusyButton type="submit" busy={update.isPending} busyLabel="Saving">
          Save
        </BusyButton>
      </div>
    </form>
  );
}
