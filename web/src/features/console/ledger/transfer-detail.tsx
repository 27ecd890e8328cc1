import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { consoleLedger } from '#contract/endpoints.ts';
import type { LedgerInclusion, LedgerTransferDetail } from '#contract/operator/ledger.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { TransferLink } from '../kit/approval-page.tsx';
import { type Check, CheckList } from '../kit/check-list.tsx';
import { countOf } from '../kit/count-of.ts';
import {
  CopyBox,
  DetailFacts,
  DetailLead,
  DetailPanel,
  DetailSection,
  MemberLink,
  QueryDetail,
} from '../kit/detail-panel.tsx';
import { accountLabels, reasonLabels } from './labels.ts';

const transferQuery = (id: string) =>
  queryOf(['operator', 'ledger', 'transfer', id], consoleLedger.getLedgerTransfer, { params: { id } });

/** Recomputed from the stored rows on each request. */
const inclusionQuery = (id: string) =>
  queryOf(['operator', 'ledger', 'inclusion', id], consoleLedger.getLedgerInclusion, {
    params: { id },
    enabled: false,
    gcTime: 0,
  });

/** One transfer: both sides, its purpose, and the seal that covers it. */
export const TransferDetail = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <QueryDetail query={transferQuery(id)} kind="Transfer" onClose={onClose}>
    {(transfer) => <Loaded transfer={transfer} onClose={onClose} />}
  </QueryDetail>
);

function Loaded({ transfer, onClose }: { transfer: LedgerTransferDetail; onClose: () => void }) {
  const { id, amount, reason, reference, from, to, key, note, reverses, reversed_by } = transfer;
  return (
    <DetailPanel title={`No. ${id}`} kind="Transfer" onClose={onClose}>
      <DetailLead>
        <Figure label={reasonLabels[reason]} size="xl" foot={reference}>
          <Money value={amount} />
        </Figure>
      </DetailLead>
      <Side title="From" side={from} />
      <Side title="To" side={to} />
      <DetailFacts
        title="Entry"
        items={[
          ['Posted', formatDateTime(transfer.created_at)],
          ['Market time', formatDateTime(transfer.market_at)],
          ['Key', <CodeText key="key">{key}</CodeText>],
          note !== null && ['Note', note],
          reverses !== null && ['Reverses', <TransferLink key="reverses" id={reverses} />],
          reversed_by !== null && ['Reversed by', <TransferLink key="reversed" id={reversed_by} />],
        ]}
      />
      <DetailSection title="Hash">
        <CopyBox value={transfer.hash} what="hash" />
      </DetailSection>
      <Seal transfer={transfer} />
    </DetailPanel>
  );
}

const Side = ({ title, side }: { title: string; side: LedgerTransferDetail['from'] }) => (
  <DetailSection title={`${title}: ${accountLabels[side.account]}`}>
    {side.member ? <MemberLink member={side.member} /> : 'Company'}
    {side.balance_after !== null && <div>Balance after {formatMoney(side.balance_after)}</div>}
  </DetailSection>
);

function Seal({ transfer: { id, seal } }: { transfer: LedgerTransferDetail }) {
  const inclusion = useQuery(inclusionQuery(id));
  if (seal === null) return <DetailSection title="Seal">Sealed within the next minute.</DetailSection>;
  return (
    <DetailSection title={`Seal ${seal.no}, ${formatDateTime(seal.sealed_at)}`}>
      {inclusion.data ? (
        <CheckList checks={inclusionChecks(inclusion.data)} />
      ) : (
        <Button variant="default" disabled={inclusion.isFetching} onClick={() => inclusion.refetch()}>
          Verify against seal
        </Button>
      )}
    </DetailSection>
  );
}

/** Whether the stored transfer matches its hash, and its path the seal's root. */
export function inclusionChecks({ hash_fits, included, index, leaves, path, seal }: LedgerInclusion): Check[] {
  const leaf = `Leaf ${index + 1} of ${leaves}`;
  return [
    {
      key: 'hash',
      state: hash_fits ? 'done' : 'warning',
      words: hash_fits ? 'The fields match the hash' : 'The fields do not match the hash: the row was changed',
    },
    {
      key: 'root',
      state: included ? 'done' : 'warning',
      words: included
        ? `${leaf}, ${countOf(path.length, 'step')}: matches the root of seal ${seal.no}`
        : `${leaf}: does not match the root of seal ${seal.no}`,
    },
  ];
}
