import { Box, Group, Text } from '@mantine/core';
import { IconMailForward } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { consoleEmailChanges } from '#contract/endpoints.ts';
import type { EmailChange } from '#contract/operator/email-changes.ts';
import { emailChangeRules } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Panel, Rows } from '../../../ui/layout/panel.tsx';
import { consolePath } from '../../../ui/paths.ts';
import { isUnknown } from '../../../ui/table/data-table-states.tsx';
import { TextLink } from '../../../ui/text/text.tsx';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import type { ApprovalKind } from '../kit/approvals.ts';
import { column, lines, MemberCell } from '../kit/columns.tsx';
import { DetailMember, DetailSection, Quiet } from '../kit/detail-panel.tsx';
import { LoadFailed } from '../kit/list-table.tsx';

const REQUESTS_POLL_MS = 15_000;

const emailChangeKind: ApprovalKind<EmailChange> = {
  key: 'email-changes',
  also: ['members'],
  name: 'Proposal',
  list: (query, signal) => call(consoleEmailChanges.listEmailChanges, { query, signal }),
  approve: (params, body) => call(consoleEmailChanges.approveEmailChange, { params, body }),
  reject: (params, body) => call(consoleEmailChanges.rejectEmailChange, { params, body }),
  withdraw: (params, body) => call(consoleEmailChanges.withdrawEmailChange, { params, body }),
  second: 'operator',
  waits: true,
  states: { posted: 'Changed' },
  approves: `The address changes ${emailChangeRules.waitDays} days after the approval.`,
  texts: ({ member: { name }, email }) => ({
    approve: `The email address of ${name} changes to ${email} in ${emailChangeRules.waitDays} days, unless the member or an operator stops it. Withdrawals stay stopped until then. Approve only when the identity was checked.`,
    reject: 'The address stays. The request of the member stays open, and withdrawals stopped, until it is ended.',
    withdraw:
      'The proposal is withdrawn. The request of the member stays open, and withdrawals stopped, until it is ended.',
  }),
  busy: 'Approving',
  done: 'Email change approved',
};

/** Members without access to their mailbox: their requests, and the proposals to execute them. */
export const EmailChangesPage = () => (
  <ApprovalPage
    kind={emailChangeKind}
    path="email-changes"
    title="Email changes"
    facts="Members who lost their mailbox. Check the identity, then propose the change on the page of the member."
    label="Proposals"
    icon={IconMailForward}
    columns={columns}
    sections={({ member, email, reason }) => (
      <>
        <DetailSection title="New email address">{email ?? 'Deleted with the account'}</DetailSection>
        <DetailMember member={member} />
        <DetailSection title="Identity check">{reason}</DetailSection>
      </>
    )}
  >
    <Requests />
  </ApprovalPage>
);

const columns = proposalColumns<EmailChange>([
  column('Member', (row) => <MemberCell member={row.member} />),
  column('New email address', (row) => lines(row.email ?? '–', row.reason)),
]);

/** Requests of members that nobody has proposed yet. */
function Requests() {
  const query = useQuery(
    queryOf(['operator', 'email-changes', 'requests'], consoleEmailChanges.listEmailRequests, {
      pollMs: REQUESTS_POLL_MS,
    }),
  );
  const open = query.data?.filter(({ proposed }) => !proposed) ?? [];
  if (open.length === 0 && !isUnknown(query)) return null;
  return (
    <Panel title="Requests" rule padded={false}>
      {isUnknown(query) && <LoadFailed query={query} />}
      <Rows>
        {open.map(({ member, email, requested_at }) => (
          <Group key={member.id} component="li" gap="sm" wrap="wrap" fz="sm">
            <Box flex="1 1 200px" miw={0}>
              <TextLink to={`${consolePath('members')}/${member.id}`}>{member.name}</TextLink>
              <Quiet>{member.referral_code}</Quiet>
            </Box>
            <Text flex="2 1 300px" fz="sm" style={{ overflowWrap: 'anywhere' }}>
              {email}
              <Quiet>{`requested ${formatDateTime(requested_at)}`}</Quiet>
            </Text>
          </Group>
        ))}
      </Rows>
    </Panel>
  );
}
