import { Button, Group, Paper, SimpleGrid } from '@mantine/core';
import { IconAdjustments, IconExternalLink, IconEye } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { DataOf, OperatorRole } from '#contract/endpoint.ts';
import { consoleMembers, operatorOpen } from '#contract/endpoints.ts';
import type { MemberPage } from '#contract/operator/members.ts';
import { supportAccessRules } from '#contract/rules.ts';
import { appInfo } from '../../../api/app-info.ts';
import { call } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatMoney, formatSignedMoney } from '../../../ui/format/number.ts';
import { formatDate, formatDateTime, formatTime } from '../../../ui/format/time.ts';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import classes from '../../../ui/forms/dialog-form.module.css';
import { Banner } from '../../../ui/frame/banner.tsx';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Tabs } from '../../../ui/layout/tabs.tsx';
import { consolePath } from '../../../ui/paths.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { CodeText, TextLink } from '../../../ui/text/text.tsx';
import { ProposeAdjustment } from '../adjustments/propose-adjustment.tsx';
import { useDecisionDialog } from '../kit/decisions.tsx';
import { OneFailed, PageLoading } from '../kit/list-table.tsx';
import { financeRoles, supportAccessRoles } from '../roles.ts';
import { AccessPanel } from './access-panel.tsx';
import { listTabs, MemberList } from './member-lists.tsx';

const PAGE_POLL_MS = 20_000;

/** Loading it is recorded in the audit log. */
const memberPageQuery = (id: string) =>
  queryOf(['operator', 'members', 'one', id], consoleMembers.getMemberPage, {
    params: { id },
    pollMs: PAGE_POLL_MS,
  });

/** Everything about one member. */
export function MemberView({ id, tab }: { id: string; tab: string | undefined }) {
  const query = useQuery(memberPageQuery(id));
  if (query.data) return <Loaded page={query.data} tab={tab} />;
  return (
    <>
      <PageHead title="Member" />
      {query.isError ? (
        <Paper withBorder pt="md">
          <OneFailed query={query} what="member" />
        </Paper>
      ) : (
        <PageLoading />
      )}
    </>
  );
}

function Loaded({ page, tab }: { page: MemberPage; tab: string | undefined }) {
  const navigate = useNavigate();
  const { role } = useOperator();
  const { member, summary, balances } = page;
  const may = (roles: readonly OperatorRole[]) => member.closed_at === null && roles.includes(role);
  const [isAdjusting, setAdjusting] = useState(false);
  const shown = listTabs.find(({ value }) => value === tab)?.value ?? 'movements';
  return (
    <>
      <title>{`${member.name} · ${appInfo.brandName}`}</title>
      <PageHead
        title={<span>{member.name}</span>}
        facts={
          <>
            <CodeText>{member.referral_code}</CodeText> · joined {formatDate(member.created_at)}
            {member.closed_at !== null && ` · closed ${formatDate(member.closed_at)}`}
          </>
        }
      >
        {may(financeRoles) && (
          <Button
            variant="default"
            leftSection={<IconAdjustments size={16} stroke={1.5} aria-hidden />}
            onClick={() => setAdjusting(true)}
          >
            Propose adjustment
          </Button>
        )}
        {may(supportAccessRoles) && <OpenAccount member={member} />}
      </PageHead>
      <ProposeAdjustment opened={isAdjusting} onClose={() => setAdjusting(false)} member={member} />
      <FigureStrip>
        <Figure label="Net worth" foot="with unrealised P&L">
          {formatMoney(summary.net_worth, 2)}
        </Figure>
        <Figure label="Primary Wallet">{formatMoney(balances.primary, 2)}</Figure>
        <Figure label="Profit Wallet">{formatMoney(balances.profit, 2)}</Figure>
        <Figure label="In trades" foot="less trade fees">
          {formatMoney(balances.trade_escrow, 2)}
        </Figure>
        <Figure label="In plans" foot="between trades">
          {formatMoney(balances.investment, 2)}
        </Figure>
        <Figure label="On hold" foot="withdrawals">
          {formatMoney(balances.withdrawal_hold, 2)}
        </Figure>
      </FigureStrip>
      <SimpleGrid flex="none" cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
        <MemberFacts page={page} />
        <AccessPanel page={page} />
      </SimpleGrid>
      <Paper
        component="section"
        withBorder
        display="flex"
        flex="1 0 480px"
        h={480}
        style={{ flexDirection: 'column', overflow: 'hidden' }}
      >
        <Tabs
          label="About this member"
          tabs={listTabs}
          value={shown}
          onChange={(next) => navigate(`${consolePath('members')}/${member.id}/${next}`, { replace: true })}
        >
          <MemberList key={shown} tab={shown} page={page} />
        </Tabs>
      </Paper>
    </>
  );
}

/** Contact, sponsors, totals and limits. */
function MemberFacts({ page }: { page: MemberPage }) {
  const { member, sponsors, team, summary, limits, address } = page;
  const limitOf = (limit: number | null) => (limit === null ? 'None' : formatMoney(limit, 'typed'));
  return (
    <Panel title="Details">
      <KeyValues
        items={[
          ['Email', member.email || 'Deleted with the account'],
          ['Mobile', member.mobile_number || 'Deleted with the account'],
          [
            'Sponsors, nearest first',
            <Group key="sponsors" gap="2px 10px" justify="flex-end">
              {sponsors.length === 0 && 'None'}
              {sponsors.map(({ id, name, company }) =>
                company ? (
                  <span key={id}>{name}</span>
                ) : (
                  <TextLink key={id} to={`${consolePath('members')}/${id}`}>
                    {name}
                  </TextLink>
                ),
              )}
            </Group>,
          ],
          [
            'Team',
            `${team.total.toLocaleString('en-US')} in 10 levels, ${(team.levels[0] ?? 0).toLocaleString('en-US')} directs`,
          ],
          [
            'Payout address',
            address === null ? (
              'None'
            ) : (
              <span key="address">
                {address.network} <CodeText>{address.address}</CodeText>
              </span>
            ),
          ],
          address !== null && ['Address active from', formatDateTime(address.usable_from)],
          ['Deposited', formatMoney(summary.deposited, 2)],
          ['Withdrawn', formatMoney(summary.withdrawn, 2)],
          ['Realised P&L', formatSignedMoney(summary.realised, 2)],
          ['Fees paid', formatMoney(summary.fees_paid, 2)],
          ['Income', formatMoney(summary.income, 2)],
          ['Deposit limit per week', limitOf(limits.deposit_week.amount)],
          ['Loss limit per day', limitOf(limits.loss_day.amount)],
          ['Pause', limits.paused_until === null ? 'None' : `Until ${formatDateTime(limits.paused_until)}`],
        ]}
      />
    </Panel>
  );
}

const { openMember } = operatorOpen;

/** Asks for a reason, and shows a link to the read-only account. Its token stays in this dialog. */
function OpenAccount({ member: { id, name } }: { member: MemberPage['member'] }) {
  const [opened, setOpened] = useState<DataOf<typeof openMember>>();
  const { begin, dialog, changed } = useDecisionDialog({
    decisionOf: () => ({
      button: 'View as member',
      title: `View the account of ${name}`,
      text: `You see what the member sees for ${supportAccessRules.minutes} minutes, read-only. The member is notified with the reason. You can open ${supportAccessRules.maxPerDay} accounts a day (UTC).`,
      busy: 'Opening',
      reason: 'Visible to the member.',
      otp: true,
      done: 'Read-only access granted',
      send: ({ reason, otp }) => call(openMember, { params: { id }, body: { reason, otp } }),
    }),
    refreshes: [],
    onDone: setOpened,
  });
  const close = () => setOpened(undefined);
  return (
    <>
      {changed && <Banner tone="amber">{changed}</Banner>}
      <Button
        variant="default"
        leftSection={<IconEye size={16} stroke={1.5} aria-hidden />}
        onClick={() => begin('open')}
      >
        View as member
      </Button>
      {dialog}
      <Dialog opened={opened !== undefined} onClose={close} title={`Account of ${name}`} size={440}>
        {opened && (
          <div className={classes.form}>
            <p className={classes.words}>
              Read-only until {formatTime(opened.expires_at)} UTC, or until you end it there. A member signed in in this
              browser is signed out here.
            </p>
            <div className={classes.actions}>
              <Button
                component="a"
                href={opened.address}
                target="_blank"
                rel="noreferrer"
                leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
                onClick={close}
              >
                Open in new tab
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </>
  );
}
