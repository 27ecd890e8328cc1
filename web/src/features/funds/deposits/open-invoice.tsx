import { Button } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { Deposit, PayWay } from '#contract/funds/deposits.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatCountdown, formatDateTime } from '../../../ui/format/time.ts';
import { Segments } from '../../../ui/forms/segments.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { QrCode } from '../../../ui/text/qr-code.tsx';
import { StatusSteps } from '../../../ui/text/status-steps.tsx';
import { useRealNow } from '../../../ui/use-real-now.ts';
import { CopyLine } from './copy-line.tsx';
import { takesMoney } from './deposit-labels.ts';
import classes from './deposit-page.module.css';
import { depositSteps } from './deposit-steps.ts';
import { StateWords } from './state-labels.tsx';

const PAGE = 'page';

/** The invoice while it is open: what to pay, where, until when, and how far it came. */
export function OpenInvoice({ deposit }: { deposit: Deposit }) {
  const now = useRealNow();
  const leftMs = Date.parse(deposit.expires_at) - now;
  const canPay = takesMoney(deposit.state) && leftMs > 0;
  return (
    <div className={classes.stack}>
      {canPay ? (
        <Ways deposit={deposit} clock={<Clock deposit={deposit} leftMs={leftMs} />} />
      ) : (
        <div className={classes.due}>
          <Asked deposit={deposit} />
          {takesMoney(deposit.state) && <Clock deposit={deposit} leftMs={leftMs} />}
        </div>
      )}
      <StateWords deposit={deposit} timeIsUp={leftMs <= 0} />
      <div className={classes.rule}>
        <StatusSteps across label="Steps of this deposit" steps={depositSteps(deposit)} />
      </div>
    </div>
  );
}

/** The gateway's page, or one of its ways for a wallet: each with a code for a camera and what to copy. */
function Ways({ deposit, clock }: { deposit: Deposit; clock: ReactNode }) {
  const [chosen, setChosen] = useState(PAGE);
  // The list comes anew with every answer, so a way is remembered by its name; one that went away gives way to the page.
  const way = deposit.pay_ways.find(({ label }) => label === chosen);
  const options = [
    { value: PAGE, label: 'Payment page' },
    ...deposit.pay_ways.map(({ label }) => ({ value: label, label })),
  ];
  const pageUrl = deposit.pay_url === null ? null : new URL(deposit.pay_url, window.location.origin).href;
  return (
    <>
      {options.length > 1 && (
        <div>
          <Segments label="Way to pay" options={options} value={way?.label ?? PAGE} onChange={setChosen} />
        </div>
      )}
      {way ? (
        <Way way={way} clock={clock} />
      ) : (
        pageUrl !== null && <PayPage deposit={deposit} pageUrl={pageUrl} clock={clock} />
      )}
    </>
  );
}

function PayPage({ deposit, pageUrl, clock }: { deposit: Deposit; pageUrl: string; clock: ReactNode }) {
  return (
    <div className={classes.scan}>
      <QrCode text={pageUrl} label="QR code of the payment page" />
      <div className={classes.stack}>
        <div className={classes.due}>
          <Asked deposit={deposit} />
          {clock}
        </div>
        <CopyLine label="Scan with a phone, or copy the link" value={pageUrl} />
        <div className={classes.actions}>
          <Button
            component="a"
            href={pageUrl}
            target="_blank"
            rel="noreferrer"
            size="lg"
            leftSection={<IconExternalLink size={16} stroke={1.5} />}
          >
            Open payment page
          </Button>
          <span className={classes.note}>Opens in a new tab, outside your session</span>
        </div>
      </div>
    </div>
  );
}

function Way({ way, clock }: { way: PayWay; clock: ReactNode }) {
  return (
    <div className={classes.scan}>
      <QrCode text={way.payment_link} label={`QR code to pay with ${way.label}`} />
      <div className={classes.stack}>
        <div className={classes.due}>
          <Figure label="To pay" size="xl">
            {way.due} <span className={classes.currency}>{way.currency}</span>
          </Figure>
          {clock}
        </div>
        <CopyLine label="Scan with a wallet, or copy the address" value={way.destination} compared />
        <CopyLine label={`Amount in ${way.currency}`} value={way.due} />
        <p className={classes.note}>
          Send {way.currency} and nothing else. What arrives is what is credited, at the gateway’s rate, so the fee of
          your wallet comes on top.
        </p>
      </div>
    </div>
  );
}

/** What was asked for at the beginning; of a payment that was seen nothing is left to pay. */
function Asked({ deposit }: { deposit: Deposit }) {
  return (
    <Figure label={deposit.state === 'created' ? 'To pay' : 'Asked'} size="xl">
      {formatMoney(deposit.amount, 'typed').slice(1)} <span className={classes.currency}>{deposit.currency}</span>
    </Figure>
  );
}

function Clock({ deposit, leftMs }: { deposit: Deposit; leftMs: number }) {
  const id = useId();
  return (
    <Figure label={<span id={id}>Invoice expires in</span>} foot={formatDateTime(deposit.expires_at)}>
      <span role="timer" aria-labelledby={id}>
        {formatCountdown(leftMs)}
      </span>
    </Figure>
  );
}
