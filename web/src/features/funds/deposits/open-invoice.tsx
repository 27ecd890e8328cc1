import { Box, Button, Divider, Group, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { Deposit, PayWay } from '#contract/funds/deposits.ts';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { t } from '../../../api/texts.ts';
import { formatMoney } from '../../../ui/format/number.ts';
import { formatCountdown, formatDateTime } from '../../../ui/format/time.ts';
import { CopyText } from '../../../ui/forms/copy-button.tsx';
import { Segments } from '../../../ui/forms/segments.tsx';
import { StatusSteps } from '../../../ui/state/status-steps.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { Note } from '../../../ui/text/paragraph.tsx';
import { QrCode } from '../../../ui/text/qr-code.tsx';
import { CodeText } from '../../../ui/text/text.tsx';
import { GroupedText, TextBox } from '../../../ui/text/text-box.tsx';
import { useRealNow } from '../../../ui/use-real-now.ts';
import { acceptsPayment, depositSteps, missingOf } from './deposit-labels.ts';
import { DepositState } from './deposit-state.tsx';

const PAGE = 'page';

/** An open invoice: what to pay, where, by when, and its steps. */
export function OpenInvoice({ deposit }: { deposit: Deposit }) {
  const now = useRealNow();
  const leftMs = Date.parse(deposit.expires_at) - now;
  const isPayable = acceptsPayment(deposit);
  const canPay = isPayable && leftMs > 0;
  return (
    <Stack>
      {canPay ? (
        <PaymentMethods deposit={deposit} clock={<Clock deposit={deposit} leftMs={leftMs} />} />
      ) : (
        <Due clock={isPayable && <Clock deposit={deposit} leftMs={leftMs} />}>
          <AmountDue deposit={deposit} />
        </Due>
      )}
      <DepositState deposit={deposit} timeIsUp={leftMs <= 0} />
      <Divider my={4} color="var(--tw-line)" />
      <StatusSteps across label={t`Steps of this deposit`} steps={depositSteps(deposit)} />
    </Stack>
  );
}

/** The gateway's page, or one of its payment methods for a wallet: each with a QR code and what to copy. */
function PaymentMethods({ deposit, clock }: { deposit: Deposit; clock: ReactNode }) {
  const [chosen, setChosen] = useState(PAGE);
  // Each response brings a new list, so the selection is kept by name; if it disappears, the gateway's page is
  // selected.
  const hasPage = deposit.pay_url !== null;
  const method = deposit.pay_ways.find(({ label }) => label === chosen) ?? (hasPage ? undefined : deposit.pay_ways[0]);
  const options = [
    ...(hasPage ? [{ value: PAGE, label: t`Payment page` }] : []),
    ...deposit.pay_ways.map(({ label }) => ({ value: label, label })),
  ];
  const pageUrl = deposit.pay_url === null ? null : new URL(deposit.pay_url, window.location.origin).href;
  return (
    <>
      {options.length > 1 && (
        <div>
          <Segments label={t`Payment method`} options={options} value={method?.label ?? PAGE} onChange={setChosen} />
        </div>
      )}
      {method ? (
        <PaymentMethod method={method} network={deposit.pay_with} clock={clock} />
      ) : (
        pageUrl !== null && <PayPage deposit={deposit} pageUrl={pageUrl} clock={clock} />
      )}
    </>
  );
}

function PayPage({ deposit, pageUrl, clock }: { deposit: Deposit; pageUrl: string; clock: ReactNode }) {
  return (
    <Scan text={pageUrl} label={t`QR code of the payment page`}>
      <Due clock={clock}>
        <AmountDue deposit={deposit} />
      </Due>
      <CopyLine label={t`Scan with a phone, or copy the link`} value={pageUrl}>
        <CodeText>{pageUrl}</CodeText>
      </CopyLine>
      <Group gap="8px 12px">
        <Button
          component="a"
          href={pageUrl}
          target="_blank"
          rel="noreferrer"
          size="lg"
          w={{ base: '100%', sm: 'auto' }}
          leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
        >{t`Open payment page`}</Button>
        <Note span>{t`Opens in a new tab`}</Note>
      </Group>
    </Scan>
  );
}

function PaymentMethod({
  method,
  network,
  clock,
}: {
  method: PayWay;
  network: PayoutNetwork | null;
  clock: ReactNode;
}) {
  return (
    <Scan text={method.payment_link} label={t`QR code to pay with ${method.label}`}>
      <Due clock={clock}>
        <Figure label={t`To pay`} size="xl">
          {method.due} <Currency>{method.currency}</Currency>
        </Figure>
      </Due>
      <CopyLine label={t`Scan with a wallet, or copy the address`} value={method.destination} compared>
        <GroupedText>{method.destination}</GroupedText>
      </CopyLine>
      <CopyLine label={t`Amount in ${method.currency}`} value={method.due}>
        <CodeText>{method.due}</CodeText>
      </CopyLine>
      {method.memo !== undefined && (
        <CopyLine label={t`Memo, required with the payment`} value={method.memo} compared>
          <CodeText>{method.memo}</CodeText>
        </CopyLine>
      )}
      <Note>
        {network === null || network === 'BTC'
          ? t`Send only ${method.currency}. The amount received is credited at the gateway’s rate; the network fee of your wallet is extra.`
          : t`Send only ${method.label}, in one payment. One USDT is credited as one dollar. Another coin or network, or a second payment, is reviewed by an operator. The network fee of your wallet is extra.`}
      </Note>
    </Scan>
  );
}

/** The QR code beside its text; stacked where there is no room for both. */
const Scan = ({ text, label, children }: { text: string; label: string; children: ReactNode }) => (
  <Group align="flex-start" gap="16px 28px" justify="center" __vars={{ '--qr-size': '208px' }}>
    <QrCode text={text} label={label} />
    <Stack flex="1 1 300px" miw={0}>
      {children}
    </Stack>
  </Group>
);

const Due = ({ clock, children }: { clock: ReactNode; children: ReactNode }) => (
  <Group align="flex-start" justify="space-between" gap="12px 24px">
    {children}
    <Box ta={{ sm: 'right' }}>{clock}</Box>
  </Group>
);

type CopyLineProps = {
  value: string;
  label: string;
  /** Shown in full, to be compared by eye. */
  compared?: boolean;
  children: ReactNode;
};

const CopyLine = ({ value, label, compared = false, children }: CopyLineProps) => (
  <TextBox
    label={label}
    {...(compared ? {} : { cut: value })}
    copy={<CopyText value={value} variant="subtle" size="sm" />}
  >
    {children}
  </TextBox>
);

/** What is left to pay; once all of it is detected, the amount of the invoice. */
function AmountDue({ deposit }: { deposit: Deposit }) {
  const missing = missingOf(deposit);
  const { amount, currency } = missing ?? {
    amount: formatMoney(deposit.amount, 'typed').slice(1),
    currency: deposit.currency,
  };
  return (
    <Figure
      label={missing ? t`Still to pay` : deposit.state === 'created' ? t`To pay` : t`Requested`}
      size="xl"
      foot={missing && t`${formatMoney(deposit.amount, 'typed')} requested`}
    >
      {amount} <Currency>{currency}</Currency>
    </Figure>
  );
}

function Clock({ deposit, leftMs }: { deposit: Deposit; leftMs: number }) {
  const id = useId();
  return (
    <Figure label={<span id={id}>{t`Invoice expires in`}</span>} foot={formatDateTime(deposit.expires_at)}>
      <span role="timer" aria-labelledby={id}>
        {formatCountdown(leftMs)}
      </span>
    </Figure>
  );
}

/** Beside the large figure. */
export const Currency = ({ children }: { children: string }) => (
  <Text span size="lg" fw={500} c="var(--tw-text-2)" lts={0}>
    {children}
  </Text>
);
