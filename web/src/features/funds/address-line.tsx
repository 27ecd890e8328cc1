import { IconWallet } from '@tabler/icons-react';
import type { PayoutAddress } from '#contract/funds/withdrawals.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { CodeText } from '../../ui/text/code-text.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import { useRealNow } from '../../ui/use-real-now.ts';
import classes from './assets-page.module.css';

/** `TKq8…QeAu`: enough to know it again. */
const shorten = (address: string) => `${address.slice(0, 4)}…${address.slice(-4)}`;

/** Where withdrawals go to and whether they can already; undefined while it is not known. */
export function AddressLine({ address }: { address: PayoutAddress | null | undefined }) {
  return (
    <Panel className={classes.address}>
      <IconWallet size={20} stroke={1.5} aria-hidden />
      <h2>Payout address</h2>
      {address === undefined && <span className={classes.state}>–</span>}
      {address === null && <span className={classes.state}>None yet. It is usable 24 hours after you saved it.</span>}
      {address && <Saved address={address} />}
      <TextLink to={paths.withdrawal}>{address === null ? 'Save an address' : 'See or change it'}</TextLink>
    </Panel>
  );
}

function Saved({ address: { network, address, usable_from: usableFrom } }: { address: PayoutAddress }) {
  const waits = useRealNow() < Date.parse(usableFrom);
  return (
    <>
      <span>
        {network} · <CodeText>{shorten(address)}</CodeText>
      </span>
      <span className={classes.state}>
        {waits ? `Withdrawals to it from ${formatDateTime(usableFrom)}` : 'Ready for withdrawals'}
      </span>
    </>
  );
}
