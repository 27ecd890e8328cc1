import { Button, Input, Paper, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { useSignedIn } from '../../api/sign-in-state.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { paths } from '../../ui/paths.ts';
import { useReportAddressChange } from './queries.ts';

const support = appInfo.supportEmail ?? 'support';

/**
 * Where the mail about a changed payout address leads (docs/product.md, section 5). Opening it does nothing, so that no
 * preview of the mail can stop anybody's withdrawals: only the button does.
 */
export function NotMePage() {
  const token = useFragmentToken();
  const report = useReportAddressChange();
  if (report.isSuccess) return <Stopped />;
  if (token === '') return <NoToken />;
  return (
    <NarrowFrame
      title="Was this not you?"
      lead="The payout address of your account was changed. If you did that yourself, close this page: nothing has happened."
    >
      <Text size="sm" fw={500} c="var(--tw-text-2)" mb="xs">
        Pressing the button does this:
      </Text>
      <Paper component="ul" mb={28} p="md" pl={34} fz="sm" lh="30px" c="var(--tw-text-2)" style={{ listStyle: 'disc' }}>
        <li>All withdrawals of the account stop at once, also those that nobody has paid yet.</li>
        <li>Your money stays in your wallets, and your trades and plans go on.</li>
        <li>Withdrawals open again after you have spoken with support.</li>
      </Paper>
      {report.isError && (
        <Input.Error role="alert" mb={14}>
          {report.error.message}
        </Input.Error>
      )}
      <BusyButton
        variant="danger"
        size="lg"
        fullWidth
        busy={report.isPending}
        busyLabel="Stopping"
        onClick={() => report.mutate(token)}
      >
        This was not me
      </BusyButton>
    </NarrowFrame>
  );
}

/**
 * The token behind the `#`, which no server, log or referrer sees. It is taken out of the address at once, so that it
 * is neither bookmarked nor left in the history.
 */
function useFragmentToken(): string {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(() => hash.slice(1));
  useEffect(() => {
    if (hash === '') return;
    setToken(hash.slice(1));
    void navigate(pathname, { replace: true });
  }, [hash, pathname, navigate]);
  return token;
}

function Stopped() {
  const isSignedIn = useSignedIn();
  return (
    <NarrowFrame
      title="Withdrawals are stopped"
      lead={`Nothing leaves your account any more. Whoever changed the address may know your password, so change it now, and write to ${support}.`}
    >
      <Button component={Link} to={isSignedIn ? paths.profile : paths.forgotPassword} size="lg" fullWidth>
        Change the password
      </Button>
    </NarrowFrame>
  );
}

/** Opened without the token of a mail, or again after a reload: says so and shows the way. */
function NoToken() {
  return (
    <NarrowFrame
      title="Open the link from the mail"
      lead={`This page needs the whole link of the mail about your payout address. Open it from there again. If that does not work, write to ${support}.`}
    >
      <Button component={Link} to={paths.login} size="lg" fullWidth>
        Go to sign in
      </Button>
    </NarrowFrame>
  );
}
