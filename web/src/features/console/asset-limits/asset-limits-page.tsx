import { IconRulerMeasure } from '@tabler/icons-react';
import { consoleLimits } from '#contract/endpoints.ts';
import type { LimitChange } from '#contract/operator/asset-limits.ts';
import { call } from '../../../api/call.ts';
import { pairOf } from '../../../entities/trade/labels.ts';
import { Figure } from '../../../ui/text/figure.tsx';
import { limitText } from '../assets/limits-dialog.tsx';
import { ApprovalPage, proposalColumns } from '../kit/approval-page.tsx';
import type { ApprovalKind } from '../kit/approvals.ts';
import { column, lines, rightColumn } from '../kit/columns.tsx';
import { DetailFacts, DetailSection } from '../kit/detail-panel.tsx';

const limitsKind: ApprovalKind<LimitChange> = {
  key: 'asset-limits',
  also: ['assets'],
  name: 'Position limits',
  list: (query, signal) => call(consoleLimits.listLimitChanges, { query, signal }),
  approve: (params, body) => call(consoleLimits.approveLimits, { params, body }),
  reject: (params, body) => call(consoleLimits.rejectLimits, { params, body }),
  withdraw: (params, body) => call(consoleLimits.withdrawLimits, { params, body }),
  second: 'operator',
  states: { posted: 'Applied' },
  approves: 'Approving applies them immediately.',
  texts: ({ symbol }) => ({
    approve: `New trades in ${pairOf(symbol)} keep to these limits immediately. Queued trades that no longer fit are cancelled when they are due to open; open trades stay.`,
    reject: `The limits of ${pairOf(symbol)} do not change.`,
    withdraw: `Your proposal is withdrawn and the limits of ${pairOf(symbol)} do not change.`,
  }),
  busy: 'Applying',
  done: 'Limits are in force',
};

/** Changes of assets' size limits; they are proposed on the asset's page. */
export const AssetLimitsPage = () => (
  <ApprovalPage
    kind={limitsKind}
    path="asset-limits"
    title="Position limits"
    facts="Changes of what can be traded of an asset. Propose one under Assets; another operator approves it."
    label="Limits"
    icon={IconRulerMeasure}
    columns={columns}
    lead={({ symbol, limits }) => (
      <Figure label={`Largest trade in ${pairOf(symbol)}`} size="xl">
        {limitText(limits.trade)}
      </Figure>
    )}
    sections={({ reason, limits, before }) => (
      <>
        <DetailFacts
          title="Change"
          items={[
            ['Largest trade', changeText(before.trade, limits.trade)],
            ['One member', changeText(before.member, limits.member)],
            ['All members', changeText(before.all, limits.all)],
          ]}
        />
        <DetailSection title="Reason">{reason}</DetailSection>
      </>
    )}
  />
);

/** `$50,000.00 to $10,000.00`, or the unchanged value. */
const changeText = (before: number | null, after: number | null): string =>
  before === after ? limitText(after) : `${limitText(before)} to ${limitText(after)}`;

const columns = proposalColumns<LimitChange>(
  [column('Asset', ({ symbol, reason }) => lines(pairOf(symbol), reason))],
  [rightColumn('Largest trade', ({ limits }) => limitText(limits.trade), { width: '132px' })],
);
