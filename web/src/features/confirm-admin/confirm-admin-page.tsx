import { Input, Paper } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { operatorAccounts } from '#contract/endpoints.ts';
import { appInfo } from '../../api/app-info.ts';
import { call } from '../../api/call.ts';
import { queryOf } from '../../api/query-of.ts';
import { t } from '../../api/texts.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { useFragmentToken } from '../../ui/use-fragment-token.ts';

const confirmationQuery = (token: string) =>
  queryOf(['legal-confirmation', token], operatorAccounts.showLegalConfirmation, {
    body: { token },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/**
 * The legal contact confirms an admin here (docs/operators-guide.md, "Before going live"). Opening the link has no
 * effect, so that an email preview confirms nobody: only the button does.
 */
export function ConfirmAdminPage() {
  const token = useFragmentToken();
  const admin = useQuery({ ...confirmationQuery(token), enabled: token !== '' });
  const confirm = useMutation({
    mutationFn: () => call(operatorAccounts.confirmAdmin, { body: { token } }),
    gcTime: 0,
  });
  if (confirm.isSuccess)
    return (
      <NarrowFrame title={t`Admin confirmed`} lead={t`Thank you. All operators were told. You can close this page.`} />
    );
  if (token === '' || admin.isError)
    return (
      <NarrowFrame
        title={t`This link is not valid`}
        lead={admin.error?.message ?? t`The link is incomplete. Open it from the email again.`}
      />
    );
  return (
    <NarrowFrame
      title={t`Confirm this admin?`}
      lead={t`Admins of ${appInfo.brandName} decide about money of members. Ask this person in person or by phone whether the account and the passkey are theirs. If you do not know them, close this page and tell the company’s management.`}
    >
      {admin.data && (
        <>
          <Paper withBorder radius="lg" px="md" py="xs" mb={28}>
            <KeyValues
              rule
              items={[
                [t`Name`, admin.data.name],
                [t`Email`, admin.data.email],
                [t`Passkey`, admin.data.passkeys.join(', ')],
                [t`Link valid until`, formatDateTime(admin.data.expires_at)],
              ]}
            />
          </Paper>
          {confirm.isError && <Input.Error mb={14}>{confirm.error.message}</Input.Error>}
          <BusyButton
            size="lg"
            fullWidth
            busy={confirm.isPending}
            busyLabel={t`Confirming`}
            onClick={() => confirm.mutate()}
          >{t`Confirm admin`}</BusyButton>
        </>
      )}
    </NarrowFrame>
  );
}
