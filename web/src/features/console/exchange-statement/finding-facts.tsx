import type {
  Settlement,
  StatementBooking,
  StatementFinding,
  StatementLine,
  StatementSettlement,
} from '#contract/operator/statement.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { consolePath } from '../../../ui/paths.ts';
import { TextLink } from '../../../ui/text/text.tsx';
import { TransferLink } from '../kit/approval-page.tsx';
import { CopyBox, DetailFacts, DetailSection } from '../kit/detail-panel.tsx';

export const howLabels = { booked: 'Book', explained: 'Explain' } as const satisfies Record<Settlement, string>;

/** Why it is open, in a sentence. */
export const whyOpen = ({ kind, line }: Pick<StatementFinding, 'kind' | 'line'>): string => {
  if (kind === 'missing') return 'It is in the ledger, but not in the exchange’s statement.';
  if (kind === 'differs') return 'Statement and ledger have other figures under the same id.';
  if (line?.kind === 'fill') return 'The exchange filled an order that the ledger does not know.';
  return line?.kind === 'other' ? 'The ledger has no booking for it.' : 'No treasury move is this transfer.';
};

/** Formats an exact decimal: `-25000.50000000` is −25,000.5. */
function plain(text: string): string {
  const [whole = '', part = ''] = text.split('.');
  const digits = part.replace(/0+$/, '');
  const grouped = whole.replace(/^-/, '−').replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return digits === '' ? grouped : `${grouped}.${digits}`;
}

/** With at least two decimals: `2501.25000000` is $2,501.25, `4500.5` $4,500.50. */
const dollars = (text: string): string => {
  const [whole, part = ''] = plain(text).split('.');
  return `$${whole}.${part.padEnd(2, '0')}`;
};

type Side = StatementLine | StatementBooking;
const coinOf = (side: Side): string => ('coin' in side ? side.coin : (side.symbol ?? '').toUpperCase());

/** `Bought 0.05 BTC`, `Deposit`, or the exchange's own type. */
export function titleOf({ line, booking }: Pick<StatementFinding, 'line' | 'booking'>): string {
  const side = line ?? booking;
  if (side === null) return '';
  if (side.kind === 'fill')
    return `${side.side === 'buy' ? 'Bought' : 'Sold'} ${plain(side.quantity ?? '')} ${coinOf(side)}`;
  if (side.kind === 'other') return line?.word ? line.word.charAt(0).toUpperCase() + line.word.slice(1) : 'Other';
  return side.kind === 'transfer_in' ? 'Transfer in' : 'Transfer out';
}

/** The amount of an entry: dollars of a fill, or an amount with its coin. */
export function amountOf({ line, booking }: Pick<StatementFinding, 'line' | 'booking'>): string {
  const side = line ?? booking;
  if (side?.kind === 'fill') return dollars(side.cost ?? '');
  if (line !== null) return `${plain(line.amount ?? '')} ${line.coin}`;
  return booking?.amount == null ? '' : formatMoney(booking.amount, 'typed');
}

const feeOf = ({ fee, fee_coin }: Pick<Side, 'fee' | 'fee_coin'>): string =>
  fee === null || fee_coin === null ? 'none' : `${plain(fee)} ${fee_coin}`;

type Facts = Parameters<typeof DetailFacts>[0]['items'];

const amountFacts = (side: Pick<StatementFinding, 'line' | 'booking'>): Facts => [['Amount', amountOf(side)]];

const fillFacts = (side: Side): Facts => [
  ['Quantity', `${plain(side.quantity ?? '')} ${coinOf(side)}`],
  ['Dollars', plain(side.cost ?? '')],
  ['Fee', feeOf(side)],
  side.order_id !== null && ['Order', side.order_id],
];

/** Both sides of an entry, one above the other. */
export const FindingFacts = ({ finding: { line, booking } }: { finding: StatementFinding }) => (
  <>
    {line && (
      <DetailFacts
        title="In the statement"
        items={[
          ['Time', formatDateTime(line.at)],
          line.pair !== null && ['Pair', line.pair],
          ...(line.kind === 'fill' ? fillFacts(line) : amountFacts({ line, booking: null })),
          line.client_order_id !== null && ['Client order', line.client_order_id],
          ['Id', line.id],
          line.kind !== 'fill' && ['The exchange calls it', line.word],
        ]}
      />
    )}
    {booking && (
      <DetailFacts
        title="In the ledger"
        items={[
          ['Time', formatDateTime(booking.at)],
          ...(booking.kind === 'fill' ? fillFacts(booking) : amountFacts({ line: null, booking })),
          booking.trade_id !== null && ['Id', booking.trade_id],
          booking.batch_id !== null && ['Batch', `No. ${booking.batch_id}`],
          booking.reference !== null && [
            'Treasury move',
            <TextLink key="move" to={`${consolePath('treasury')}?state=posted`}>
              {booking.reference}
            </TextLink>,
          ],
          booking.transfer_id !== null && ['Transfer', <TransferLink key="transfer" id={booking.transfer_id} />],
        ]}
      />
    )}
    {line?.transaction != null && (
      <DetailSection title="Payment">
        <CopyBox value={line.transaction} what="payment id" />
      </DetailSection>
    )}
  </>
);

/** What approving does. */
export function effectOf({ how, finding }: Pick<StatementSettlement, 'how' | 'finding'>): string {
  if (how === 'explained') return 'Nothing is booked.';
  return finding.line?.kind === 'fill'
    ? 'Coins and dollars are booked to the holding; what the house gains or loses by it goes to the venue result.'
    : 'The amount is booked between venue and venue result.';
}
