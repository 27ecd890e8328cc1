import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconLock, IconUserPlus } from '@tabler/icons-react';
import { useNavigate, useSearchParams } from 'react-router';
import { passwordMinLength } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { CallError } from '../../api/call.ts';
import { writeStored } from '../../api/storage.ts';
import { PhoneFields } from '../../entities/member/phone-fields.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { TextLink } from '../../ui/text/text-link.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { CostPane } from './cost-pane.tsx';
import { EyeIcon } from './eye-icon.tsx';
import classes from './form.module.css';
import { useRegister } from './queries.ts';
import { SponsorHint } from './sponsor-hint.tsx';
import { problemsOf, registerRules } from './validation.ts';

/** Sign-up under an invitation (the specification, points 2, 4 and 5). */
export function RegisterPage() {
  const navigate = useNavigate();
  const register = useRegister();
  const invitation = useSearchParams()[0].get('referralCode')?.trim().toUpperCase() || undefined;
  const form = useForm({
    initialValues: {
      referralCode: invitation ?? '',
      dialCode: '',
      mobile: '',
      name: '',
      email: '',
      password: '',
      terms: false,
    },
    validate: ({ terms, ...values }) => problemsOf(registerRules, values),
  });

  const submit = form.onSubmit(({ dialCode, mobile, referralCode, name, email, password, terms }) => {
    register.mutate(
      {
        referralCode: referralCode.trim(),
        mobile_number: `${dialCode}${mobile}`,
        name: name.trim(),
        email: email.trim(),
        password,
        terms,
      },
      {
        onSuccess: ({ data, message }) => {
          writeStored('referral_code', data.referral_code);
          toast.success(message ?? `Your Registered Id is ${data.referral_code}`);
          navigate(paths.loginAlias);
        },
        onError: (error) => {
          if (!(error instanceof CallError)) return;
          const { mobile_number, ...fields } = error.fields;
          form.setErrors(mobile_number === undefined ? fields : { ...fields, mobile: mobile_number });
        },
      },
    );
  });

  return (
    <AuthFrame
      title={`Welcome to ${appInfo.brandName}`}
      lead="You need the Invitation Id of a member to open an account."
      pane={<CostPane />}
      dense
    >
      <form className={classes.form} data-dense onSubmit={submit} noValidate>
        <TextInput
          label="Invitation Id"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          readOnly={invitation !== undefined}
          classNames={{ input: classes.code }}
          leftSection={<IconUserPlus size={20} stroke={1.5} aria-hidden />}
          rightSection={invitation === undefined ? undefined : <IconLock size={16} stroke={1.5} aria-label="Locked" />}
          description={
            form.errors.referralCode === undefined && (
              <SponsorHint code={form.values.referralCode} isFromAddress={invitation !== undefined} />
            )
          }
          {...form.getInputProps('referralCode')}
          onChange={(event) => form.setFieldValue('referralCode', event.currentTarget.value.toUpperCase())}
        />
        <PhoneFields
          dialCodeError={form.errors.dialCode}
          onDialCode={(dialCode) => form.setFieldValue('dialCode', dialCode)}
          mobile={form.getInputProps('mobile')}
          onMobile={(mobile) => form.setFieldValue('mobile', mobile)}
        />
        <TextInput label="Name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label="Email Id"
          type="email"
          inputMode="email"
          autoComplete="email"
          spellCheck={false}
          placeholder="name@example.com"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="new-password"
          placeholder={`At least ${passwordMinLength} characters`}
          visibilityToggleIcon={EyeIcon}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
          {...form.getInputProps('password')}
        />
        <Checkbox
          label={
            <>
              I have read the {/* In a tab of its own: what was filled in here would be lost. */}
              <TextLink to={paths.terms} target="_blank">
                Terms &amp; Conditions
              </TextLink>
            </>
          }
          {...form.getInputProps('terms', { type: 'checkbox' })}
        />
        <BusyButton
          className={classes.caps ?? ''}
          type="submit"
          size="lg"
          fullWidth
          busy={register.isPending}
          busyLabel="SIGNING UP"
        >
          SIGN UP
        </BusyButton>
      </form>
      <p className={classes.swap}>
        Already a member? <TextLink to={paths.login}>Sign in</TextLink>
      </p>
    </AuthFrame>
  );
}
