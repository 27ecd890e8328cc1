import { Box, Center, Checkbox, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { IconChartCandle, IconCircleCheck, IconLock, IconScale, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { passwordMinLength, referralCodePattern, uplineLookupDebounceMs } from '#contract/rules.ts';
import { appInfo } from '../../api/app-info.ts';
import { CallError } from '../../api/call.ts';
import { writeStored } from '../../api/storage.ts';
import { t } from '../../api/texts.ts';
import { formatBps, useCurrentTerms } from '../../entities/income/fees.ts';
import { PhoneFields } from '../../entities/member/phone-fields.tsx';
import { formatMoney } from '../../ui/format/number.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { PasswordField } from '../../ui/forms/password-field.tsx';
import { useFirstError } from '../../ui/forms/use-first-error.ts';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { TextLink, Trans } from '../../ui/text/text.tsx';
import classes from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { sponsorQuery, useRegister } from './queries.ts';
import { problemsOf, registerRules } from './validation.ts';

/** Sign-up under an invitation (the specification, points 2, 4 and 5). */
export function RegisterPage() {
  const navigate = useNavigate();
  const register = useRegister();
  const { form: element, focusFirstError } = useFirstError();
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
          focusFirstError();
        },
      },
    );
  }, focusFirstError);

  return (
    <AuthFrame
      title={t`Welcome to ${appInfo.brandName}`}
      lead={
        invitation === undefined
          ? t`You need the Invitation Id of a member to open an account.`
          : t`Enter your details to open an account.`
      }
      pane={<CostPane />}
      dense
    >
      <form ref={element} onSubmit={submit} noValidate>
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
          <Refusal error={register.error} />
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
  /** The code came with the address, so the lookup is skipped (the specification, point 7). */
  isFromAddress: boolean;
};

function SponsorHint({ code, isFromAddress }: SponsorHintProps) {
  const [settled] = useDebouncedValue(code.trim(), uplineLookupDebounceMs);
  const { data, error } = useQuery({
    ...sponsorQuery(settled),
    enabled: !isFromAddress && referralCodePattern.test(settled),
  });
  if (isFromAddress) return t`From your invitation link`;
  const isSettled = settled === code.trim();
  // The toast with this message disappears after three seconds.
  if (isSettled && error instanceof CallError && error.code === 'unknown_invitation') {
    return (
      <Text span inherit c="var(--tw-loss)">
        {error.message}
      </Text>
    );
  }
  if (data === undefined || !isSettled) return t`Ask the member who invited you for it`;
  return (
    <Group component="span" gap={6} c="var(--tw-text-2)" role="status">
      <Trans
        text={t`<iconCircleCheck/>Invited by ${data.name}`}
        iconCircleCheck={<IconCircleCheck size={14} stroke={1.5} color="var(--tw-accent)" aria-hidden />}
      />
    </Group>
  );
}

const costsUnder = (terms: FeePlanTerms | undefined) =>
  [
    [t`Account and deposits`, t`Free`],
    [t`Trade fee`, terms ? t`${formatBps(terms.trade_fee_bps)} of the amount when a trade opens` : '–'],
    [
      t`Performance fee`,
      terms ? t`${formatBps(terms.performance_fee_bps)} of a trade’s gain. No gain, no performance fee.` : '–',
    ],
    [
      t`Withdrawal fee`,
      terms
        ? t`${formatBps(terms.withdrawal_fee_bps)} of the amount, at least ${formatMoney(terms.withdrawal_fee_min, 'typed')}`
        : '–',
    ],
  ] as const;

const facts = [
  [
    IconChartCandle,
    t`Trades settle at the market price`,
    t`A trade ends in a gain or a loss. You can lose the whole amount of a trade, but no more.`,
  ],
  [
    IconUsers,
    t`Team income comes from fees`,
    t`It is paid only from trading fees already collected. Without fees there is no team income.`,
  ],
  [
    IconScale,
    t`Double-entry ledger`,
    t`Every transaction debits one account and credits another. You see all of yours.`,
  ],
] as const;

function CostPane() {
  const costs = costsUnder(useCurrentTerms());
  return (
    <>
      <Title order={2} fz="xl" lh="1.75rem" lts="-0.015em">{t`Fees`}</Title>
      <dl>
        {costs.map(([what, cost], index) => (
          <Group
            key={what}
            align="flex-start"
            wrap="nowrap"
            gap={0}
            py={13}
            mt={index === 0 ? 'md' : 0}
            style={index > 0 ? { borderTop: '1px solid var(--tw-line)' } : {}}
          >
            <Text component="dt" fw={500} w="40%" flex="none">
              {what}
            </Text>
            <Text component="dd" c="var(--tw-text-2)">
              {cost}
            </Text>
          </Group>
        ))}
      </dl>
      <Stack component="ul" gap={22} mt={40}>
        {facts.map(([Icon, title, text]) => (
          <Group key={title} component="li" align="flex-start" wrap="nowrap">
            <Center w={36} h={36} flex="none" bdrs="md" bd="1px solid var(--tw-line-strong)" c="var(--tw-accent)">
              <Icon size={20} stroke={1.5} aria-hidden />
            </Center>
            <Box>
              <Text component="b" display="block" fw={600}>
                {title}
              </Text>
              <Text c="var(--tw-text-2)">{text}</Text>
            </Box>
          </Group>
        ))}
      </Stack>
    </>
  );
}
