import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { operatorAccounts } from '#contract/endpoints.ts';
import { queryOf } from '../../../api/query-of.ts';
import { useSend } from '../../../api/send-to.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { CodeForm } from '../../../ui/forms/code-form.tsx';
import { operatorPaths } from '../../../ui/paths.ts';
import { useFragmentToken } from '../../../ui/use-fragment-token.ts';
import { keep, SignInFrame } from './sign-in-page.tsx';

/**
 * The target of an emailed invitation: a password, then two-factor authentication. The link works until it is accepted.
 */
export function InvitationPage() {
  const token = useFragmentToken();
  const query = useQuery({ ...invitationQuery(token), enabled: token !== '' });
  if (query.data) return <Accept token={token} invitation={query.data} />;
  if (token !== '' && !query.isError) {
    return (
      <SignInFrame title="Your invitation" lead="Loading your invitation.">
        {null}
      </SignInFrame>
    );
  }
  return (
    <SignInFrame
      title="This invitation is not valid"
      lead={query.error?.message ?? 'The link is incomplete. Open it from the email again.'}
    >
      <Button component={Link} to={operatorPaths.signIn} variant="default" size="lg" fullWidth>
        Go to sign in
      </Button>
    </SignInFrame>
  );
}

type AcceptProps = { token: string; invitation: { name: string; email: string; role: string; expires_at: string } };

function Accept({ token, invitation }: AcceptProps) {
  const accept = useSend(operatorAccounts.acceptInvitation, { onSuccess: keep, gcTime: 0 });
  return (
    <SignInFrame
      title={`Welcome, ${invitation.name}`}
      lead={`You are invited as ${invitation.role}, ${invitation.email}. The invitation expires ${formatDateTime(invitation.expires_at)}. Choose a password, then set up your authenticator app.`}
    >
      <CodeForm
        layout="page"
        asks={['password']}
        isNewPassword
        confirm="Accept invitation"
        busyLabel="Saving"
        isBusy={accept.isPending}
        onConfirm={({ password }, onError) => accept.mutate({ token, password }, { onError })}
      />
    </SignInFrame>
  );
}

const invitationQuery = (token: string) =>
  queryOf(['invitation', token], operatorAccounts.showInvitation, {
    body: { token },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
