import { wordsOfKind } from '#contract/ledger-reasons.ts';
import type { AuditEntry } from '#contract/operator/audit.ts';
import type { MemberPage } from '#contract/operator/members.ts';
import { pairOf, walletNames } from '../../../entities/trade/labels.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDate, formatTime } from '../../../ui/format/time.ts';
import { consolePath } from '../../../ui/paths.ts';
import type { Column } from '../../../ui/table/data-table.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Money, SignedMoney } from '../../../ui/text/money.tsx';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { TextLink } from '../../../ui/text/text-link.tsx';
import { detailsText } from '../kit/details-text.ts';

type RowOf<Name extends keyof MemberPage> = MemberPage[Name] extends readonly (infer Row)[] ? Row : never;

const at = <Row,>(label: string, pick: (row: Row) => string | null): Column<Row> => ({
  key: label,
  label: `${label}, UTC`,
  width: '168px',
  render: (row) => {
    const instant = pick(row);
    return instant === null ? '–' : `${formatDate(instant)}, ${formatTime(instant)}`;
  },
});

const walletWords = {
  primary: 'Primary',
  profit: 'Profit',
  in_trades: 'In trades',
  invested: 'In plans',
  on_hold: 'On hold',
};

export const movementColumns: readonly Column<RowOf<'movements'>>[] = [
  at('When', (row) => row.created_at),
  { key: 'kind', label: 'What', render: (row) => wordsOfKind(row.kind) },
  { key: 'reference', label: 'Reference', width: '130px', from: 'middle', render: (row) => row.reference },
  { key: 'wallet', label: 'Wallet', width: '100px', from: 'middle', render: (row) => walletWords[row.wallet] },
  {
    key: 'amount',
    label: 'Amount',
    align: 'right',
    width: '140px',
    render: (row) => <SignedMoney value={row.amount} plain />,
  },
  {
    key: 'balance',
    label: 'Balance after',
    align: 'right',
    width: '140px',
    from: 'wide',
    render: (row) => <Money value={row.balance_after} />,
  },
];

export const tradeColumns: readonly Column<RowOf<'trades'>>[] = [
  at('Placed', (row) => row.placed_at),
  { key: 'symbol', label: 'Asset', render: (row) => pairOf(row.symbol) },
  { key: 'wallet', label: 'From', width: '130px', from: 'middle', render: (row) => walletNames[row.wallet_type] },
  { key: 'amount', label: 'Amount', align: 'right', width: '120px', render: (row) => formatMoney(row.amount, 'typed') },
  {
    key: 'result',
    label: 'Result',
    align: 'right',
    width: '130px',
    render: (row) => <SignedMoney value={row.result} />,
  },
  { key: 'state', label: 'State', width: '120px', render: (row) => <StateBadge of="trade" state={row.state} /> },
];

export const planColumns: readonly Column<RowOf<'plans'>>[] = [
  at('Made', (row) => row.created_at),
  { key: 'symbol', label: 'Asset', render: (row) => pairOf(row.symbol) },
  { key: 'strategy', label: 'Strategy', from: 'middle', render: (row) => row.strategy.replaceAll('_', ' ') },
  { key: 'amount', label: 'Put in', align: 'right', width: '120px', render: (row) => formatMoney(row.amount, 'typed') },
  { key: 'value', label: 'Value', align: 'right', width: '120px', render: (row) => <Money value={row.value} /> },
  {
    key: 'result',
    label: 'Result',
    align: 'right',
    width: '130px',
    from: 'wide',
    render: (row) => <SignedMoney value={row.result_total} />,
  },
  { key: 'state', label: 'State', width: '120px', render: (row) => <StateBadge of="plan" state={row.state} /> },
];

export const depositColumns: readonly Column<RowOf<'deposits'>>[] = [
  at('Created', (row) => row.created_at),
  {
    key: 'reference',
    label: 'Reference',
    render: (row) => (
      <TextLink to={`${consolePath('deposits')}/${row.id}?state=${row.state}`}>
        <CodeText>{row.reference}</CodeText>
      </TextLink>
    ),
  },
  { key: 'amount', label: 'Asked', align: 'right', width: '120px', render: (row) => formatMoney(row.amount, 'typed') },
  {
    key: 'credited',
    label: 'Credited',
    align: 'right',
    width: '130px',
    render: (row) => <Money value={row.credited} />,
  },
  { key: 'state', label: 'State', width: '120px', render: (row) => <StateBadge of="deposit" state={row.state} /> },
];

export const withdrawalColumns: readonly Column<RowOf<'withdrawals'>>[] = [
  at('Asked', (row) => row.created_at),
  {
    key: 'reference',
    label: 'Reference',
    render: (row) => (
      <TextLink to={`${consolePath('withdrawals')}/${row.id}?state=${row.state}`}>
        <CodeText>{row.reference}</CodeText>
      </TextLink>
    ),
  },
  { key: 'network', label: 'Network', width: '90px', from: 'middle', render: (row) => row.network },
  { key: 'amount', label: 'Amount', align: 'right', width: '120px', render: (row) => formatMoney(row.amount, 'typed') },
  {
    key: 'net',
    label: 'Net',
    align: 'right',
    width: '130px',
    from: 'wide',
    render: (row) => <Money value={row.net} />,
  },
  { key: 'state', label: 'State', width: '120px', render: (row) => <StateBadge of="withdrawal" state={row.state} /> },
];

export const ticketColumns: readonly Column<RowOf<'tickets'>>[] = [
  at('Changed', (row) => row.updated_at),
  { key: 'subject', label: 'Subject', render: (row) => row.subject },
  {
    key: 'reference',
    label: 'Reference',
    width: '120px',
    from: 'middle',
    render: (row) => <CodeText>{row.reference}</CodeText>,
  },
  { key: 'assigned', label: 'With', width: '140px', from: 'wide', render: (row) => row.assigned_to?.name ?? 'nobody' },
  { key: 'state', label: 'State', width: '120px', render: (row) => <StateBadge of="query" state={row.state} /> },
];

export const signInColumns: readonly Column<RowOf<'sign_ins'>>[] = [
  at('Last used', (row) => row.last_used_at),
  { key: 'device', label: 'Device', render: (row) => row.device },
  { key: 'address', label: 'Network address', width: '180px', render: (row) => row.address },
  at('Signed in', (row) => row.created_at),
];

export const auditColumns: readonly Column<AuditEntry>[] = [
  at('When', (row) => row.at),
  { key: 'actor', label: 'By', width: '150px', render: (row) => row.actor.name ?? row.actor.kind },
  { key: 'action', label: 'Action', width: '210px', render: (row) => row.action },
  {
    key: 'details',
    label: 'Details',
    from: 'middle',
    render: (row) => {
      const text = detailsText(row.before, row.after);
      return <span title={text}>{text}</span>;
    },
  },
];
