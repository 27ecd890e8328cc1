import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { User } from '#contract/accounts/sign-in.ts';
import { mobileMaxLength } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { personRules, problemsOf } from '../../entities/member/check.ts';
import { PhoneFields } from '../../entities/member/phone-fields.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import classes from '../../ui/forms/dialog-form.module.css';
import { toast } from '../../ui/frame/toast.ts';
import { ProfileDialog } from './profile-dialog.tsx';
import { useUpdateProfile } from './queries.ts';

type DetailsDialogProps = { user: User; opened: boolean; onClose: () => void };

/** Name and mobile number, under the rules of the registration. */
export function DetailsDialog({ user, opened, onClose }: DetailsDialogProps) {
  const update = useUpdateProfile();
  return (
    <ProfileDialog opened={opened} onClose={onClose} title="Your details" isHeld={update.isPending}>
      <DetailsForm user={user} update={update} onClose={onClose} />
    </ProfileDialog>
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
