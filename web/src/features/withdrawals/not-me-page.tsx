import { Button, Input, Paper, Text } from '@mantine/core';
import { Link } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { useSignedIn } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { paths } from '../../ui/paths.ts';
import { useFragmentToken } from '../../ui/use-fragment-token.ts';
import { useReportAddressChange } from './queries.ts';

const support = appInfo.supportEmail ?? 'support';

/**
 * The link in every security email (docs/product.md, section 8, "Email address"). Opening it has no effect, so that an
 * email preview cannot stop anybody's withdrawals: only the button does.
 */
export function NotMePage() {
  const token = useFragmentToken();
  const report = useReportAddressChange();
  if (report.isSuccess) return <Stopped />;
  if (token === '') return <NoToken />;
  return (
    <NarrowFrame
      title={t`Was this not you?`}
      lead={t`The email told you about a change, a sign-in or a withdrawal. If it was you, close this page. Nothing happens.`}
    >
      <Text size="sm" fw={500} c="var(--tw-text-2)" mb="xs">{t`The button does this:`}</Text>
      <Paper
        component="ul"
        mb={28}
        p="md"
        pl={34}
        fz="sm"
        lh="1.875rem"
        c="var(--tw-text-2)"
        style={{ listStyle: 'disc' }}
      >
        <li>{t`All withdrawals of the account stop immediately, including those not paid yet.`}</li>
        <li>{t`Your money stays in your wallets. Your trades and plans continue.`}</li>
        <li>{t`Withdrawals resume after you have spoken with support.`}</li>
      </Paper>
      {report.isError && <Input.Error mb={14}>{report.error.message}</Input.Error>}
      <BusyButton
        variant="danger"
        size="lg"
        fullWidth
        busy={report.isPending}
        busyLabel={t`Stopping`}
        onClick={() => report.mutate(token)}
      >{t`This was not me`}</BusyButton>
    </NarrowFrame>
  );
}

function Stopped() {
  const isSignedIn = useSignedIn();
  return (
    <NarrowFrame
      title={t`Withdrawals are stopped`}
      lead={t`No withdrawals are paid from your account. Somebody may know your password. Change it now and write to ${support}.`}
    >
      <Button
        component={Link}
        to={isSignedIn ? paths.profile : paths.forgotPassword}
        size="lg"
        fullWidth
      >{t`Change password`}</Button>
    </NarrowFrame>
  );
}

/** Opened without the token of an email, or reloaded. */
function NoToken() {
  return (
    <NarrowFrame
      title={t`Open the link in the email`}
      lead={t`This page needs the full link from the email. Open it again from there. If that does not work, write to ${support}.`}
    >
      <Button component={Link} to={paths.login} size="lg" fullWidth>{t`Sign in`}</Button>
    </NarrowFrame>
  );
}
