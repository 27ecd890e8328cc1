import type { MemberPage } from '#contract/operator/members.ts';
import { formatMoney, formatSignedMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Panel } from '../../../ui/frame/panel.tsx';
import { consolePath } from '../../../ui/paths.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { TextLink } from '../../../ui/text/text-link.tsx';
import classes from './member-view.module.css';

/** Who it is, whom they came through, and what all of their money did so far. */
export function MemberFacts({ page }: { page: MemberPage }) {
  const { member, sponsors, team, summary, limits, address } = page;
  const limitOf = (limit: number | null) => (limit === null ? 'none' : formatMoney(limit, 'typed'));
  return (
    <Panel title="Details">
      <KeyValues
        items={[
          ['Mail', member.email],
          ['Mobile', member.mobile_number],
          [
            'Sponsors, from the nearest',
            <span key="sponsors" className={classes.sponsors}>
              {sponsors.length === 0 && 'none'}
              {sponsors.map(({ id, name }) => (
                <TextLink key={id} to={`${consolePath('members')}/${id}`}>
                  {name}
                </TextLink>
              ))}
            </span>,
          ],
          [
            'Team',
            `${team.total.toLocaleString('en-US')} in 10 levels, ${(team.levels[0] ?? 0).toLocaleString('en-US')} directs`,
          ],
          [
            'Payout address',
            address === null ? (
              'none'
            ) : (
              <span key="address">
                {address.network} <CodeText>{address.address}</CodeText>
              </span>
            ),
          ],
          ...(address === null ? [] : ([['Address usable from', formatDateTime(address.usable_from)]] as const)),
          ['Deposited', formatMoney(summary.deposited, 2)],
          ['Withdrawn', formatMoney(summary.withdrawn, 2)],
          ['Realised result', formatSignedMoney(summary.realised, 2)],
          ['Fees paid', formatMoney(summary.fees_paid, 2)],
          ['Incomes', formatMoney(summary.income, 2)],
          ['Limit of deposits a week', limitOf(limits.deposit_week.amount)],
          ['Limit of losses a day', limitOf(limits.loss_day.amount)],
          ['Pause', limits.paused_until === null ? 'none' : `until ${formatDateTime(limits.paused_until)}`],
        ]}
      />
    </Panel>
  );
}
