import { IconAlertTriangle, IconHourglass, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { toTotal } from '#contract/money.ts';
import { leafAccounts } from '#contract/solvency/merkle-sum.ts';
import type { SolvencyLeaf, SolvencySnapshot } from '#contract/solvency/proof.ts';
import { useMember } from '../../api/sign-in-state.ts';
import { plural, t } from '../../api/texts.ts';
import { accountName } from '../../entities/trade/account-names.ts';
import { formatDate, formatTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { ModeNote } from '../../ui/frame/mode-label.tsx';
import { SupportLink } from '../../ui/frame/support-link.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { TableError } from '../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { Money } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { checkSeal, faultLabels, type SealCheck, type Step } from './check-proof.ts';
import classes from './liabilities-proof-panel.module.css';
import { ownLeafQuery, snapshotQuery } from './queries.ts';
import { Total } from './two-sides.tsx';

/** Verifies in the browser, not on the server, that the member's balances are part of the liabilities. */
export function SealPanel({ simulated }: { simulated: boolean }) {
  const [published, own] = [useQuery(snapshotQuery), useQuery(ownLeafQuery)];
  const code = useMember()?.referral_code;
  const check = useMemo(
    () =>
      published.data === undefined || own.data === undefined || code === undefined
        ? undefined
        : checkSeal(published.data, own.data, code),
    [published.data, own.data, code],
  );
  const failed = [published, own].find((query) => query.isError && query.data === undefined);
  const checkAgain = () => Promise.all([published.refetch(), own.refetch()]);
  return (
    <Panel title={t`Your balances in the proof`} control={check && <CheckBadge check={check} />}>
      {failed && <TableError isList={false} query={{ ...failed, refetch: checkAgain }} />}
      {check?.state === 'waiting' && <Waiting isFirst={check.isFirst} />}
      {check?.state === 'wrong' && <Wrong check={check} no={published.data?.no} />}
      {check?.state === 'counted' && own.data?.leaf && (
        <Counted leaf={own.data.leaf} steps={check.steps} snapshot={own.data.snapshot} simulated={simulated} />
      )}
      {check && check.state !== 'waiting' && (
        <>
          <BusyButton
            className={classes.again ?? ''}
            variant="default"
            fullWidth
            styles={{ label: { whiteSpace: 'normal' } }}
            leftSection={<IconShieldCheck size={16} stroke={1.5} aria-hidden />}
            busy={published.isFetching || own.isFetching}
            busyLabel={t`Verifying`}
            onClick={() => void checkAgain()}
          >{t`Verify again in this browser`}</BusyButton>
          <Note
            mt={12}
          >{t`Verified at ${formatTime(Math.min(published.dataUpdatedAt, own.dataUpdatedAt))} UTC in this browser, not on our server.`}</Note>
        </>
      )}
      <Note mt={12}>
        {published.data?.version === 1
          ? t`The proof shows that your balances are part of the published liabilities. It was made before balances were split, so its path shows the total of another member. It does not show that assets cover the liabilities.`
          : t`The proof shows that your balances are part of the published liabilities. It shows nobody else your total or the number of members. It does not show that assets cover the liabilities.`}
      </Note>
    </Panel>
  );
}

function CheckBadge({ check: { state } }: { check: SealCheck }) {
  const words = { counted: t`Included`, waiting: t`Not yet included`, wrong: t`Mismatch` } as const;
  return (
    <StateBadge of="seal" state={state}>
      {words[state]}
    </StateBadge>
  );
}

function Waiting({ isFirst }: { isFirst: boolean }) {
  return (
    <ListState
      icon={IconHourglass}
      title={isFirst ? t`No proof yet` : t`You joined after the last proof`}
    >{t`A proof of liabilities is created once every market day. The next one includes your balances.`}</ListState>
  );
}

function Wrong({ check, no }: { check: Extract<SealCheck, { state: 'wrong' }>; no: string | undefined }) {
  return (
    <ListState error icon={IconAlertTriangle} title={faultLabels[check.fault]}>
      <Trans
        text={
          no
            ? t`Download the proof and keep it as evidence. Then verify again. If it still does not match, write to <support/> about proof ${no}.`
            : t`Download the proof and keep it as evidence. Then verify again. If it still does not match, write to <support/>.`
        }
        support={<SupportLink />}
      />
    </ListState>
  );
}

type CountedProps = { leaf: SolvencyLeaf; steps: readonly Step[]; snapshot: SolvencySnapshot; simulated: boolean };

function Counted({ leaf, steps, snapshot, simulated }: CountedProps) {
  const micros = leafAccounts.map((name) => [name, BigInt(leaf.balances_micros[name])] as const);
  const total = micros.reduce((sum, [, amount]) => sum + amount, 0n);
  return (
    <>
      <KeyValues
        rule
        items={micros.map(([name, amount]) => [accountName(name), <Money key={name} value={toTotal(amount)} />])}
      />
      <Total>
        <Money value={toTotal(total)} />
      </Total>
      <div className={classes.sealed}>
        <span>{t`Proof ${snapshot.no} of ${formatDate(snapshot.market_day)}`}</span>
        {simulated && <ModeNote>{t`Simulated`}</ModeNote>}
      </div>
      <h3 className={classes.way}>
        {plural(steps.length - 1, {
          one: 'Your balances are one leaf',
          other: 'Your balances are split into # leaves',
        })}
      </h3>
      <ol className={classes.steps}>
        {steps.map(({ label, hash, micros: part }) => (
          <li key={label}>
            <span>{label}</span>
            <code translate="no">{hash}</code>
            {part !== null && <Money value={toTotal(part)} />}
          </li>
        ))}
      </ol>
    </>
  );
}
