import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCircleCheck, IconLock, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { passwordMinLength, referralCodePattern, uplineLookupDebounceMs } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { CallError } from '../../api/call.ts';
import { writeStored } from '../../api/storage.ts';
import { t } from '../../api/texts.ts';
import { PhoneFields } from '../../entities/member/phone-fields.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { PasswordField } from '../../ui/forms/password-field.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { TextLink } from '../../ui/text/text.tsx';
import { Trans } from '../../ui/text/trans.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { CostPane } from './cost-pane.tsx';
import classes from './form.module.css';
import { sponsorQuery, useRegister } from './queries.ts';
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
          toast.success(message ?? t`Your Registered Id is ${data.referral_code}`);
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
      title={t`Welcome to ${appInfo.brandName}`}
      lead={t`You need the Invitation Id of a member to open an account.`}
      pane={<CostPane />}
      dense
    >
      <form onSubmit={submit} noValidate>
        <Stack gap={14}>
          <TextInput
            label={t`Invitation Id`}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            readOnly={invitation !== undefined}
            classNames={{ input: classes.code }}
            leftSection={<IconUserPlus size={20} stroke={1.5} aria-hidden />}
            rightSection={
              invitation === undefined ? undefined : <IconLock size={16} stroke={1.5} aria-label={t`Locked`} />
            }
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
          <TextInput label={t`Name`} autoComplete="name" {...form.getInputProps('name')} />
          <TextInput
            label={t`Email Id`}
            type="email"
            inputMode="email"
            autoComplete="email"
            spellCheck={false}
            placeholder="name@example.com"
            {...form.getInputProps('email')}
          />
          <PasswordField
            label={t`Password`}
            autoComplete="new-password"
            placeholder={t`At least ${passwordMinLength} characters`}
            {...form.getInputProps('password')}
          />
          <Checkbox
            label={
              <Trans
                text={t`I have read the <link>Terms & Conditions</link>`}
                link={(inner) => (
                  <TextLink to={paths.terms} target="_blank">
                    {inner}
                  </TextLink>
                )}
              />
            }
            {...form.getInputProps('terms', { type: 'checkbox' })}
          />
          <BusyButton
            mt={4}
            fz="sm"
            lts="0.05em"
            type="submit"
            size="lg"
            fullWidth
            busy={register.isPending}
            busyLabel={t`SIGNING UP`}
          >{t`SIGN UP`}</BusyButton>
        </Stack>
      </form>
      <Text size="sm" c="var(--tw-text-2)" ta="center" mt={20}>
        <Trans
          text={t`Already a member? <link>Sign in</link>`}
          link={(inner) => <TextLink to={paths.login}>{inner}</TextLink>}
        />
      </Text>
    </AuthFrame>
  );
}

type SponsorHintProps = {
  code: string;
  /** The code came with the address: the lookup is skipped then (the specification, point 7). */
  isFromAddress: boolean;
};

function SponsorHint({ code, isFromAddress }: SponsorHintProps) {
  const [settled] = useDebouncedValue(code.trim(), uplineLookupDebounceMs);
  const { data } = useQuery({
    ...sponsorQuery(settled),
    enabled: !isFromAddress && referralCodePattern.test(settled),
  });
  if (isFromAddress) return t`From your invitation link`;
  if (data === undefined || settled !== code.trim()) return t`Ask the member who invited you for it`;
  return (
    <Group component="span" gap={6} c="var(--tw-text-2)" role="status">
      <Trans
        text={t`<iconCircleCheck/>Invited by ${data.name}`}
        iconCircleCheck={<IconCircleCheck size={14} stroke={1.5} color="var(--tw-accent)" aria-hidden />}
      />
    </Group>
  );
}
