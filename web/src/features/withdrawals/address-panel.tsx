import { Button, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { PayoutAddress, PayoutNetwork, WithdrawalBar } from '#contract/funds/withdrawals.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { useMailedCode } from '../../entities/member/mailed-code.ts';
import { SecondFactorField, useSecondFactor } from '../../entities/member/second-factor-field.tsx';
import { NetworkChoice } from '../../entities/network/network-choice.tsx';
import { formatCountdown, formatDateTime } from '../../ui/format/time.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { type ListQuery, TableError } from '../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { CodeSent, CodeTimes } from '../../ui/text/code-times.tsx';
import { Note, Paragraph } from '../../ui/text/paragraph.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { GroupedText, TextBox } from '../../ui/text/text-box.tsx';
import { useRealNow } from '../../ui/use-real-now.ts';
import { termsQuery, useSaveAddress, useSendCode } from './queries.ts';
import { networkName, networks, paidAs } from './withdrawal-labels.ts';
import { type Destination, isDestination } from './withdrawal-request.ts';

/** `?address` opens the dialog, so that every page can link to it and the back button closes it. */
export const ADDRESS_PARAMETER = 'address';

/** The payout address, and the dialog that changes it. */
export function AddressPanel() {
  const terms = useQuery(termsQuery);
  const [search] = useSearchParams();
  const address = terms.data?.address;
  const isClosed = isStopped(terms.data?.bar?.code);
  const opening = new URLSearchParams(search);
  opening.set(ADDRESS_PARAMETER, '');

  return (
    <Panel
      title={t`Payout address`}
      control={
        terms.data &&
        !isClosed && (
          <Button component={Link} to={{ search: opening.toString() }} preventScrollReset size="sm" variant="default">
            {address ? t`Change address` : t`Add address`}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {address && <Saved address={address} />}
        {address === null && (
          <Paragraph>
            {t`None yet. Save one address: withdrawals go to it, from ${withdrawalRules.waitHours} hours after you save it.`}
          </Paragraph>
        )}
        {address === undefined && <Unknown terms={terms} />}
        {isClosed && <Paragraph>{t`The address cannot be changed while withdrawals are stopped.`}</Paragraph>}
      </Stack>
      {!isClosed && <AddressDialog />}
    </Panel>
  );
}

const isStopped = (bar: WithdrawalBar | undefined) => bar === 'account_frozen' || bar === 'withdrawals_frozen';

function Saved({ address }: { address: PayoutAddress }) {
  const now = useRealNow();
  const waitMs = Date.parse(address.usable_from) - now;
  return (
    <>
      <TextBox label={networkName(address.network)}>
        <GroupedText>{address.address}</GroupedText>
      </TextBox>
      <Paragraph>
        {waitMs > 0 ? (
          <Trans
            text={t`Available from ${formatDateTime(address.usable_from)}, in <left/>`}
            left={<span style={{ fontVariantNumeric: 'tabular-nums' }}>{formatCountdown(waitMs)}</span>}
          />
        ) : (
          t`Available since ${formatDateTime(address.usable_from)}`
        )}
      </Paragraph>
    </>
  );
}

function Unknown({ terms }: { terms: ListQuery }) {
  if (terms.isError) return <TableError isList={false} query={terms} />;
  return (
    // As high as an address.
    <Stack gap="sm" style={{ visibility: 'hidden' }}>
      <TextBox label="–">–</TextBox>
      <Paragraph>–</Paragraph>
    </Stack>
  );
}

/** A new payout address: network and address, then the emailed code that confirms exactly these. */
function AddressDialog() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const sendCode = useSendCode();
  const save = useSaveAddress();
  const factor = useSecondFactor();
  const { step, show, keep, live } = useMailedCode('address', isDestination);
  const [draft, setDraft] = useState<AddressDraft>({ network: null, address: '', ...step?.asked });

  const close = () => {
    const rest = new URLSearchParams(search);
    rest.delete(ADDRESS_PARAMETER);
    setDraft({ network: null, address: '' });
    factor.reset();
    void navigate({ search: rest.toString() }, { replace: true, preventScrollReset: true });
  };
  const ask = (destination: Destination, onError?: (error: Error) => void) =>
    sendCode.mutate(
      { purpose: 'address', ...destination },
      { onSuccess: (sent) => keep(destination, sent), ...(onError ? { onError } : {}) },
    );

  return (
    <Dialog
      isSheet
      withCloseButton
      size={560}
      opened={search.has(ADDRESS_PARAMETER)}
      onClose={close}
      title={t`Payout address`}
      isHeld={sendCode.isPending || save.isPending}
    >
      {step === undefined ? (
        <AddressForm
          draft={draft}
          onDraft={setDraft}
          isBusy={sendCode.isPending}
          refused={sendCode.error}
          onAsk={(destination, onError) => {
            const before = live(destination);
            if (before) show(before);
            else ask(destination, onError);
          }}
        />
      ) : (
        <CodeForm
          layout="page"
          asks={['otp']}
          times={<CodeTimes {...step.code} isSending={sendCode.isPending} onSendAgain={() => ask(step.asked)} />}
          confirm={t`Save address`}
          busyLabel={t`Saving`}
          isBusy={save.isPending}
          unanswered={t`No reply. Try again with the same code. If the address was saved already, this page shows it after a reload.`}
          back={{ label: t`Back`, onClick: () => show(undefined) }}
          foot={<SecondFactorField factor={factor} isBusy={save.isPending} />}
          onConfirm={({ otp }, onError) => {
            if (!factor.check()) return;
            save.mutate(
              { ...step.asked, otp, ...factor.body() },
              {
                onSuccess: ({ usable_from }) => {
                  toast.success(
                    t`Payout address saved`,
                    t`Withdrawals can use it from ${formatDateTime(usable_from)}.`,
                  );
                  close();
                },
                onError: (error) => {
                  onError(error);
                  factor.fail(error);
                  // An error of the address belongs to the step where it is entered.
                  if (error instanceof CallError && error.fields.address !== undefined) show(undefined);
                },
              },
            );
          }}
        >
          <KeyValues
            rule
            items={[
              [t`Network`, networkName(step.asked.network)],
              [t`Paid as`, paidAs(step.asked.network)],
            ]}
          />
          <TextBox label={t`All withdrawals go to`}>
            <GroupedText>{step.asked.address}</GroupedText>
          </TextBox>
          <CodeSent
            to={step.code.sentTo}
            delayed={step.code.delayed}
          >{t`The code confirms only this address.`}</CodeSent>
        </CodeForm>
      )}
    </Dialog>
  );
}

type AddressDraft = { network: PayoutNetwork | null; address: string };

type AddressFormProps = {
  draft: AddressDraft;
  onDraft: (draft: AddressDraft) => void;
  isBusy: boolean;
  refused: Error | null;
  onAsk: (asked: Destination, onError: (error: Error) => void) => void;
};

type FieldErrors = { network?: string | undefined; address?: string | undefined };

/** Step 1: network and address, with the address in groups to compare. The server checks its format. */
function AddressForm({ draft, onDraft, isBusy, refused, onAsk }: AddressFormProps) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const addressField = useRef<HTMLInputElement>(null);
  const address = draft.address.trim();

  const show = (next: FieldErrors) => {
    setErrors(next);
    if (next.network === undefined && next.address !== undefined) addressField.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const { network } = draft;
    if (network === null) return show({ network: t`Choose a network.` });
    if (address === '') return show({ address: t`Enter the address.` });
    show({});
    onAsk({ network, address }, (error) => {
      if (error instanceof CallError) show({ network: error.fields.network, address: error.fields.address });
    });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NetworkChoice
          label={t`Network`}
          options={networks}
          value={draft.network}
          problem={errors.network}
          onChange={(network) => {
            onDraft({ ...draft, network });
            setErrors({});
          }}
        />
        <TextInput
          ref={addressField}
          label={t`Address`}
          description={t`Copy it from your wallet. Capital letters matter.`}
          error={errors.address}
          errorProps={{ role: 'alert' }}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={draft.address}
          onChange={(event) => {
            onDraft({ ...draft, address: event.currentTarget.value });
            setErrors((now) => ({ ...now, address: undefined }));
          }}
        />
        {address !== '' && (
          <TextBox label={t`Compare with your wallet, group by group`}>
            <GroupedText>{address}</GroupedText>
          </TextBox>
        )}
        <Note>{t`A payment to a wrong address or network cannot be recovered. After a change, withdrawals are on hold for ${withdrawalRules.waitHours} hours, and you get an email with a link to stop them.`}</Note>
        <Refusal error={refused} />
        <BusyButton type="submit" size="lg" fullWidth busy={isBusy} busyLabel={t`Sending`}>{t`Send code`}</BusyButton>
      </Stack>
    </form>
  );
}
