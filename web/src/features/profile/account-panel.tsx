import { Box, Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { User } from '#contract/accounts/sign-in.ts';
import { mobileMaxLength } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { personRules, problemsOf } from '../../entities/member/check.ts';
import { PhoneFields } from '../../entities/member/phone-fields.tsx';
import { formatDate } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { CopyIcon } from '../../ui/forms/copy-button.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import classes from '../../ui/forms/dialog-form.module.css';
import { useFirstError } from '../../ui/forms/use-first-error.ts';
import { toast } from '../../ui/frame/toast.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Avatar } from '../../ui/text/avatar.tsx';
import { CodeText } from '../../ui/text/text.tsx';
import { useUpdateProfile } from './queries.ts';

type AccountPanelProps = {
  user: User;
  /** undefined while loading; null for nobody. */
  sponsor: string | null | undefined;
  frozen: boolean;
};

export function AccountPanel({ user, sponsor, frozen }: AccountPanelProps) {
  const [isEditing, setEditing] = useState(false);
  return (
    <Panel
      title={t`Account`}
      control={
        frozen ? (
          <StateBadge of="member" state="frozen" />
        ) : (
          <Button
            size="sm"
            variant="default"
            aria-label={t`Edit name and mobile`}
            onClick={() => setEditing(true)}
          >{t`Edit`}</Button>
        )
      }
    >
      <Group gap={14} mb="sm" wrap="nowrap">
        <Avatar name={user.name} size={48} />
        <Box miw={0}>
          <Text size="xl" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {user.name}
          </Text>
          <Text size="sm" c="dimmed">{t`Member since ${formatDate(user.created_at)}`}</Text>
        </Box>
      </Group>
      <KeyValues
        rule
        items={[
          [
            t`Registered Id`,
            <Group key="id" component="span" display="inline-flex" gap={4} my={-4}>
              <CodeText>{user.referral_code}</CodeText>
              <CopyIcon value={user.referral_code} what={t`Registered Id`} />
            </Group>,
          ],
          [t`Mobile`, user.mobile_number],
          [t`Invited by`, sponsor === undefined ? '–' : (sponsor ?? t`Nobody`)],
        ]}
      />
      <DetailsDialog user={user} opened={isEditing} onClose={() => setEditing(false)} />
    </Panel>
  );
}

export function DetailsDialog({ user, opened, onClose }: { user: User; opened: boolean; onClose: () => void }) {
  const update = useUpdateProfile();
  return (
    <Dialog isSheet opened={opened} onClose={onClose} title={t`Edit name and mobile`} isHeld={update.isPending}>
      <DetailsForm user={user} update={update} onClose={onClose} />
    </Dialog>
  );
}

const { dialCode, mobile, name } = personRules;

type DetailsFormProps = { user: User; update: ReturnType<typeof useUpdateProfile>; onClose: () => void };

/** Mounted each time the dialog opens, so that it starts from the saved values. */
function DetailsForm({ user, update, onClose }: DetailsFormProps) {
  const { form: element, focusFirstError } = useFirstError();
  const known = user.mobile_number.slice(0, -mobileMaxLength);
  const form = useForm({
    initialValues: { name: user.name, dialCode: known, mobile: user.mobile_number.slice(-mobileMaxLength) },
    validate: (values) => problemsOf({ name, dialCode, mobile }, values),
  });

  const submit = form.onSubmit(
    (values) =>
      update.mutate(
        { name: values.name.trim(), mobile_number: `${values.dialCode}${values.mobile}` },
        {
          onSuccess: () => {
            toast.success(t`Account updated`);
            onClose();
          },
          onError: (error) => {
            if (!(error instanceof CallError)) return;
            const { mobile_number, ...fields } = error.fields;
            form.setErrors(mobile_number === undefined ? fields : { ...fields, mobile: mobile_number });
            focusFirstError();
          },
        },
      ),
    focusFirstError,
  );

  return (
    <form ref={element} className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label={t`Name`}
        description={t`If your account is verified, changing your name removes the verification.`}
        autoComplete="name"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <PhoneFields
        dialCodeError={form.errors.dialCode}
        knownDialCode={known}
        onDialCode={(chosen) => form.setFieldValue('dialCode', chosen)}
        mobile={form.getInputProps('mobile')}
        onMobile={(digits) => form.setFieldValue('mobile', digits)}
      />
      <Refusal error={update.error} />
      <div className={classes.actions}>
        <Button variant="subtle" disabled={update.isPending} onClick={onClose}>{t`Cancel`}</Button>
        <BusyButton type="submit" busy={update.isPending} busyLabel={t`Saving`}>{t`Save`}</BusyButton>
      </div>
    </form>
  );
}
