import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { consoleAssets } from '#contract/endpoints.ts';
import type { Feed } from '#contract/market.ts';
import type { ConsoleAsset, SpreadChange } from '#contract/operator/assets.ts';
import { maxSpreadBps } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { formatBps } from '../../../entities/income/fees.ts';
import { formatHalfSpread } from '../../../entities/income/spreads.ts';
import { formatDate, formatDateTime } from '../../../ui/format/time.ts';
import classes from '../../../ui/forms/dialog-form.module.css';
import { Figure } from '../../../ui/text/figure.tsx';
import { Money, Price } from '../../../ui/text/money.tsx';
import { CodeField, codeError } from '../kit/code-field.tsx';
import { type DecisionOptions, useDecisions } from '../kit/decisions.tsx';
import { DetailFacts, DetailLead, DetailPanel, DetailSection, Quiet } from '../kit/detail-panel.tsx';
import { REASON_MISSING, SendDialog } from '../kit/dialog-form.tsx';
import { LoadFailed, useList } from '../kit/list-table.tsx';
import { AssetState, priceAge, sourceOf } from './asset-state.tsx';
import { LimitsDialog, limitText } from './limits-dialog.tsx';

type AssetDetailProps = { asset: ConsoleAsset; feed: Feed; isAdmin: boolean; mayPropose: boolean; onClose: () => void };

/** One asset: spread now and next, price, open positions, and the two decisions about it. */
export function AssetDetail({ asset, feed, isAdmin, mayPropose, onClose }: AssetDetailProps) {
  const {
    symbol,
    name,
    version,
    active,
    spread_bps,
    next_spread: next,
    price,
    price_at,
    positions,
    queued,
    limits,
  } = asset;
  const [changing, setChanging] = useState<number>();
  const [isProposing, setProposing] = useState(false);
  const action = active ? 'off' : 'on';
  const decisions = useDecisions({
    actions: isAdmin ? [action] : [],
    version,
    decisionOf: () => ({
      ...switchDecision(action, name),
      send: ({ reason: why, otp }, seen) =>
        call(consoleAssets.setAssetActive, {
          params: { symbol },
          body: active ? { active: false, version: seen, why } : { active: true, version: seen, why, otp },
        }),
    }),
    refreshes: ['assets', ['market']],
  });
  return (
    <>
      <DetailPanel
        title={name}
        kind="Asset"
        badge={<AssetState asset={asset} />}
        {...{ onClose, decisions }}
        foot={
          <>
            {isAdmin && (
              <Button size="lg" variant={active ? 'filled' : 'default'} onClick={() => setChanging(version)}>
                Change spread
              </Button>
            )}
            {mayPropose && (
              <Button size="lg" variant="default" onClick={() => setProposing(true)}>
                Propose limits
              </Button>
            )}
          </>
        }
        note={
          isAdmin
            ? 'A new spread applies from the next session. Trading is disabled immediately.'
            : mayPropose
              ? 'Only admins decide about trading and spreads. New limits take two operators.'
              : 'Only admins decide.'
        }
      >
        <DetailLead>
          <Figure label="Current spread" size="xl" foot={next ? undefined : 'also in the next session'}>
            {formatBps(spread_bps)}
          </Figure>
        </DetailLead>
        {next && (
          <DetailFacts
            title="From the next session"
            items={[
              ['Spread', formatBps(next.spread_bps)],
              ['Set by', `${next.by.name}, ${formatDateTime(next.at)}`],
              ['Reason', next.reason],
            ]}
          />
        )}
        <DetailFacts
          title="Price"
          items={[
            ['Last price', <Price key="price" value={price} symbol={symbol} />],
            ['Market time', price_at === null ? '–' : formatDateTime(price_at)],
            ['Age', priceAge(price_at, feed.at) ?? '–'],
            ['Source', sourceOf(feed)],
          ]}
        />
        <DetailFacts
          title="Position limits"
          items={[
            ['Largest trade', limitText(limits.trade)],
            ['One member', limitText(limits.member)],
            ['All members', limitText(limits.all)],
            limits.half_depth !== null && ['Half of the order book', limitText(limits.half_depth)],
          ]}
        />
        <DetailFacts
          title="Members’ trades"
          items={[
            ['Open positions', positions.count.toLocaleString('en-US')],
            ['Quantity', `${coins(positions.quantity)} ${symbol}`],
            ['Market value', <Money key="value" value={positions.value} decimals={2} />],
            ['Queued trades', queued.count.toLocaleString('en-US')],
            ['Queued amount', <Money key="amount" value={queued.amount} decimals={2} />],
          ]}
        />
        <SpreadHistory symbol={symbol} />
      </DetailPanel>
      <SpreadDialog asset={asset} version={changing} onClose={() => setChanging(undefined)} />
      <LimitsDialog asset={asset} opened={isProposing} onClose={() => setProposing(false)} />
    </>
  );
}

function switchDecision(action: 'off' | 'on', name: string): DecisionOptions {
  const reason = 'Recorded in the audit log.';
  return action === 'off'
    ? {
        button: 'Disable trading',
        title: `Disable trading of ${name}`,
        text: 'No new trades. Queued trades are refunded when the session opens, plans pause, and open positions settle as usual.',
        busy: 'Disabling',
        danger: true,
        reason,
        done: `Trading of ${name} is disabled`,
      }
    : {
        button: 'Enable trading',
        title: `Enable trading of ${name}`,
        text: 'It can be traded again immediately. Paused plans stay paused until their members resume them.',
        busy: 'Enabling',
        reason,
        otp: true,
        done: `Trading of ${name} is enabled`,
      };
}

/** A decimal quantity truncated to 6 places: `1.991004497752` is `1.991004`. */
export const coins = (quantity: string): string => {
  const [whole = '0', decimals = ''] = quantity.split('.');
  const shown = decimals.slice(0, 6).replace(/0+$/, '');
  return `${Number(whole).toLocaleString('en-US')}${shown === '' ? '' : `.${shown}`}`;
};

/** Spread changes of one asset, newest first. */
function SpreadHistory({ symbol }: { symbol: string }) {
  const {
    rows: changes,
    query,
    onEnd,
  } = useList<SpreadChange>({
    queryKey: ['assets', 'spreads', symbol],
    readPage: (page, signal) => call(consoleAssets.listSpreadChanges, { params: { symbol }, query: page, signal }),
  });
  return (
    <DetailSection title="Spread history">
      {query.isError && changes === undefined && <LoadFailed query={query} />}
      {changes?.length === 0 && <p>No changes yet.</p>}
      {changes !== undefined && changes.length > 0 && (
        <Stack component="ul" gap={10} style={{ overflowWrap: 'anywhere' }}>
          {changes.map((change, index) => (
            <li key={change.id}>
              <Text size="sm" fw={500}>
                {formatBps(change.before_bps)} to {formatBps(change.spread_bps)}
              </Text>
              {change.reason}
              <Quiet>
                {change.by.name}, {formatDateTime(change.at)}; {effectOf(change, index === 0)}
              </Quiet>
            </li>
          ))}
        </Stack>
      )}
      {onEnd && (
        <Button mt={10} size="sm" variant="default" onClick={onEnd}>
          Show earlier
        </Button>
      )}
    </DetailSection>
  );
}

function effectOf({ first_session_on }: SpreadChange, isNewest: boolean): string {
  if (first_session_on !== null) return `from the session of ${formatDate(first_session_on)}`;
  return isNewest ? 'from the next session' : 'replaced before a session opened';
}

type SpreadDialogProps = {
  asset: ConsoleAsset;
  /** The version that the operator saw; closed while undefined. */
  version: number | undefined;
  onClose: () => void;
};

const nothing = { spread_bps: '', why: '', otp: '' };

/** Whole basis points as typed; undefined when out of range. */
const readBps = (text: string): number | undefined =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) <= maxSpreadBps ? Number(text) : undefined;

/** Sets the spread from the next session. */
function SpreadDialog({ asset, version, onClose }: SpreadDialogProps) {
  return (
    <SendDialog
      opened={version !== undefined}
      onClose={onClose}
      title={`Change the spread of ${asset.name}`}
      initial={nothing}
      check={({ spread_bps, why, otp }) => ({
        ...(readBps(spread_bps) === undefined && { spread_bps: `Enter whole basis points from 0 to ${maxSpreadBps}.` }),
        ...(why === '' && { why: REASON_MISSING }),
        ...codeError(otp),
      })}
      confirm="Change spread"
      busyLabel="Saving"
      send={({ spread_bps, ...typed }) =>
        call(consoleAssets.changeSpread, {
          params: { symbol: asset.symbol },
          body: { version: version ?? asset.version, spread_bps: readBps(spread_bps) ?? 0, ...typed },
        })
      }
      refreshes={['assets', ['market']]}
      done={({ next_spread: next }) => [
        next ? `${formatBps(next.spread_bps)} from the next session` : 'Spread saved',
        asset.name,
      ]}
      isStale={({ status }) => status === 409}
    >
      {({ values, typed, code }) => (
        <>
          <div className={classes.words}>
            The current spread of {formatBps(asset.spread_bps)} applies to all trades until the next session opens.
          </div>
          <TextInput
            label="Spread in basis points"
            description={spreadText(readBps(values.spread_bps))}
            inputMode="numeric"
            autoComplete="off"
            {...typed('spread_bps')}
          />
          <Textarea label="Reason" description="Visible to operators." rows={2} maxLength={300} {...typed('why')} />
          <CodeField {...code('otp')} />
        </>
      )}
    </SendDialog>
  );
}

const spreadText = (bps: number | undefined): string =>
  bps === undefined
    ? '10 is 0.10%, half on each side of the market price.'
    : `${formatBps(bps)}: ${formatHalfSpread(bps)} when buying, ${formatHalfSpread(bps)} when selling.`;
