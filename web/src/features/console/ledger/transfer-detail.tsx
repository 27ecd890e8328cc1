import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { LedgerInclusion, LedgerTransferDetail } from '#contract/operator/ledger.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { consolePath } from '../../../ui/paths.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { CodeText } from '../../../ui/text/code-text.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money } from '../../../ui/text/money.tsx';
import { TextLink } from '../../../ui/text/text-link.tsx';
import { type Check, CheckList } from '../kit/check-list.tsx';
import { CopyBox } from '../kit/copy-box.tsx';
import { DetailLead, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { DeskError } from '../kit/list-table.tsx';
import { MemberLink } from '../kit/member.tsx';
import { accountWords, reasonWords } from './labels.ts';
import { inclusionQuery, transferQuery } from './queries.ts';

/** One transfer: both sides, what it is for, and the seal that covers it. */
export function TransferDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(transferQuery(id));
  return (
    <DetailPanel title={`No. ${id}`} kind="Transfer" onClose={onClose}>
      {query.data ? (
        <Loaded transfer={query.data} />
      ) : (
        query.isError && <DeskError query={query} title="It could not be loaded" />
      )}
    </DetailPanel>
  );
}

function Loaded({ transfer }: { transfer: LedgerTransferDetail }) {
  const { amount, reason, reference, key, note, reverses, reversed_by } = transfer;
  return (
    <>
      <DetailLead>
        <Figure label={reasonWords(reason)} size="xl" foot={reference}>
          <Money value={amount} />
        </Figure>
      </DetailLead>
      <Side title="From" side={transfer.from} />
      <Side title="To" side={transfer.to} />
      <DetailSection title="Entry">
        <KeyValues
          items={[
            ['Booked', formatDateTime(transfer.created_at)],
            ['Market time', formatDateTime(transfer.market_at)],
            ['Key', <CodeText key="key">{key}</CodeText>],
            ...(note === null ? [] : ([['Note', note]] as const)),
            ...(reverses === null ? [] : ([['Takes back', <TransferLink key="reverses" id={reverses} />]] as const)),
            ...(reversed_by === null
              ? []
              : ([['Taken back by', <TransferLink key="reversed" id={reversed_by} />]] as const)),
          ]}
        />
      </DetailSection>
      <DetailSection title="Hash">
        <CopyBox value={transfer.hash} what="hash" />
      </DetailSection>
      <Seal transfer={transfer} />
    </>
  );
}

const TransferLink = ({ id }: { id: string }) => <TextLink to={`${consolePath('ledger')}/${id}`}>no. {id}</TextLink>;

function Side({ title, side }: { title: string; side: LedgerTransferDetail['from'] }) {
  return (
    <DetailSection title={`${title}: ${accountWords[side.account]}`}>
      {side.member ? <MemberLink member={side.member} /> : 'The house'}
      {side.balance_after !== null && <div>Balance after {formatMoney(side.balance_after)}</div>}
    </DetailSection>
  );
}

function Seal({ transfer }: { transfer: LedgerTransferDetail }) {
  const inclusion = useQuery(inclusionQuery(transfer.id));
  if (transfer.seal === null) return <DetailSection title="Seal">With the next minute’s.</DetailSection>;
  return (
    <DetailSection title={`Seal ${transfer.seal.no}, ${formatDateTime(transfer.seal.sealed_at)}`}>
      {inclusion.data ? (
        <CheckList checks={inclusionChecks(inclusion.data)} />
      ) : (
        <Button variant="default" disabled={inclusion.isFetching} onClick={() => inclusion.refetch()}>
          Check it against the seal
        </Button>
      )}
    </DetailSection>
  );
}

/** What the path from the stored transfer to the seal's root comes to. */
export function inclusionChecks({ hash_fits, included, index, leaves, path, seal }: LedgerInclusion): Check[] {
  return [
    {
      key: 'hash',
      state: hash_fits ? 'done' : 'look',
      words: hash_fits ? 'Its fields give its hash' : 'Its fields give another hash: the row was changed',
    },
    {
      key: 'root',
      state: included ? 'done' : 'look',
      words: included
        ? `Leaf ${index + 1} of ${leaves}, ${path.length} steps, gives the root of seal ${seal.no}`
        : `Leaf ${index + 1} of ${leaves} does not give the root of seal ${seal.no}`,
    },
  ];
}
