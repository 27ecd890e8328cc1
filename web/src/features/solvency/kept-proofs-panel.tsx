import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { solvencySeal } from '#contract/endpoints.ts';
import { call } from '../../api/call.ts';
import { saveFile } from '../../api/csv.ts';
import { useMember } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { formatDate } from '../../ui/format/time.ts';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { TableError } from '../../ui/table/data-table-states.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { checkSeal, faultLabels, type OwnLeaf, parseSavedProof } from './check-proof.ts';
import { ownProofsQuery } from './queries.ts';
import classes from './solvency.module.css';

/** Saves a proof with the member's leaves, in the format read by `scripts/check-proof.ts` and this page. */
export function saveProof(proof: OwnLeaf): void {
  const file = new Blob([`${JSON.stringify(proof, null, 2)}\n`], { type: 'application/json' });
  saveFile(`proof-${proof.snapshot.no}-${proof.snapshot.market_day}.json`, file);
}

/** The key of the member's own file among the results of listed proofs. */
const FILE = 'file';

/** The result of a check as text. */
type Checked = { readonly isValid: boolean; readonly words: string };

/**
 * Earlier proofs: those whose leaves the server retains can be downloaded and verified, and one downloaded at any time
 * is verified against the published root of its day.
 */
export function KeptProofsPanel() {
  const proofs = useQuery(ownProofsQuery);
  const check = useCheck();
  const [checked, setChecked] = useState<Readonly<Record<string, Checked>>>({});
  const run = async (name: string, read: () => Promise<OwnLeaf | null | undefined>) => {
    const result = await check(read);
    setChecked((before) => ({ ...before, [name]: result }));
  };
  const readOwn = (no: string) => call(solvencySeal.getOwnLeaf, { query: { no } });
  return (
    <Panel title={t`Earlier proofs`} padded={false}>
      {proofs.isError && !proofs.data && <TableError query={proofs} />}
      {proofs.data && (
        <Rows rule>
          {proofs.data.items.map(({ no, market_day }) => (
            <li key={no}>
              <div className={classes.proof}>
                <span>{t`Proof ${no} of ${formatDate(market_day)}`}</span>
                {checked[no] && <CheckedBadge checked={checked[no]} />}
                <Group gap={8} wrap="nowrap">
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t`Verify proof ${no}`}
                    onClick={() => void run(no, () => readOwn(no))}
                  >{t`Verify`}</Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t`Download proof ${no}`}
                    onClick={() => void readOwn(no).then((own) => own && saveProof(own))}
                  >{t`Download`}</Button>
                </Group>
              </div>
              {checked[no]?.isValid === false && <Fault words={checked[no].words} />}
            </li>
          ))}
        </Rows>
      )}
      <div className={classes.file}>
        <ProofFile onText={(text) => void run(FILE, async () => parseSavedProof(text))} />
        {checked[FILE] && (
          <Text role="status" fz="sm" lh="1.25rem" c={checked[FILE].isValid ? undefined : 'var(--tw-loss)'}>
            {checked[FILE].words}
          </Text>
        )}
        <Note>
          {t`Leaves are kept for seven proofs, published roots forever. Download a proof to verify it at any later time.`}
        </Note>
      </div>
    </Panel>
  );
}

/** Verifies here: the published snapshot is fetched separately from the proof, and the code comes from the sign-in. */
function useCheck() {
  const code = useMember()?.referral_code ?? '';
  return async (read: () => Promise<OwnLeaf | null | undefined>): Promise<Checked> => {
    const own = await read();
    if (!own) return { isValid: false, words: faultLabels.unreadable };
    const published = await call(solvencySeal.getSnapshot, { query: { no: own.snapshot.no } });
    const result = checkSeal(published, own, code);
    if (result.state === 'wrong') return { isValid: false, words: faultLabels[result.fault] };
    if (result.state === 'waiting') return { isValid: false, words: t`You joined after this proof.` };
    return {
      isValid: true,
      words: t`Proof ${own.snapshot.no} of ${formatDate(own.snapshot.market_day)} is valid and includes your balances.`,
    };
  };
}

const CheckedBadge = ({ checked: { isValid } }: { checked: Checked }) => (
  <StateBadge of="seal" state={isValid ? 'counted' : 'wrong'}>
    {isValid ? t`Included` : t`Mismatch`}
  </StateBadge>
);

const Fault = ({ words }: { words: string }) => (
  <Text role="alert" mt={4} fz="xs" lh="1rem" c="var(--tw-loss)">
    {words}
  </Text>
);

/** A proof file from the member's own disk: it is read here and sent nowhere. */
function ProofFile({ onText }: { onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label={t`Downloaded proof`}
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file) void file.text().then(onText);
        }}
      />
      <Button variant="default" fullWidth onClick={() => input.current?.click()}>{t`Verify a downloaded proof`}</Button>
    </>
  );
}
