import { useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { CallError } from '../../api/call.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { CodeSent, CodeTimes } from '../../ui/text/code-times.tsx';
import { useNarrow } from '../../ui/use-narrow.ts';
import classes from './address.module.css';
import { type AddressDraft, AddressForm } from './address-form.tsx';
import { GroupedAddress } from './grouped-address.tsx';
import { useSaveAddress, useSendCode } from './queries.ts';
import { type AskedState, askedStateOf, type Destination, liveStep } from './requested-state.ts';
import { sentCodeOf } from './sent-code.ts';
import { networkName, paidAs } from './withdrawal-labels.ts';

/** `?address` opens the dialog, so that every page can lead to it and the way back closes it. */
export const ADDRESS_PARAMETER = 'address';

type Asked = NonNullable<AskedState['address']>;

/** A new payout address: network and address, then the code that was mailed for exactly these. */
export function AddressDialog() {
  const narrow = useNarrow();
  const navigate = useNavigate();
  const location = useLocation();
  const [search] = useSearchParams();
  const sendCode = useSendCode();
  const save = useSaveAddress();
  const asked = askedStateOf(location.state).address;
  const [draft, setDraft] = useState<AddressDraft>({ network: null, address: '', ...asked?.asked });
  const [last, setLast] = useState(asked);
  const opened = search.has(ADDRESS_PARAMETER);
  const isSending = sendCode.isPending || save.isPending;

  /** Steps of the dialog take each other's place, so that one way back leaves it. */
  const show = (step: Asked | undefined) =>
    navigate(
      { search: location.search },
      { replace: true, preventScrollReset: true, state: step && { address: step } },
    );
  const close = () => {
    const rest = new URLSearchParams(search);
    rest.delete(ADDRESS_PARAMETER);
    setDraft({ network: null, address: '' });
    void navigate({ search: rest.toString() }, { replace: true, preventScrollReset: true });
  };
  const ask = (destination: Destination, onError?: (error: Error) => void) =>
    sendCode.mutate(
      { purpose: 'address', ...destination },
      {
        onSuccess: (data) => {
          const step = { asked: destination, code: sentCodeOf(data) };
          setLast(step);
          void show(step);
        },
        ...(onError ? { onError } : {}),
      },
    );

  return (
    <Dialog
      opened={opened}
      onClose={close}
      title="Payout address"
      size={560}
      padding={0}
      fullScreen={narrow}
      radius={narrow ? 0 : undefined}
      isHeld={isSending}
      classNames={{ inner: classes.inner, content: classes.content, body: classes.body }}
    >
      {asked === undefined ? (
        <AddressForm
          draft={draft}
          onDraft={setDraft}
          isBusy={sendCode.isPending}
          onAsk={(destination, onError) => {
            const live = liveStep(last, destination, Date.now());
            if (live) void show(live);
            else ask(destination, onError);
          }}
        />
      ) : (
        <CodeForm
          layout="page"
          asks={['otp']}
          times={
            <CodeTimes
              expiresAt={asked.code.expiresAt}
              resendAt={asked.code.resendAt}
              isSending={sendCode.isPending}
              onSendAgain={() => ask(asked.asked)}
            />
          }
          confirm="Save this address"
          busyLabel="Saving"
          isBusy={save.isPending}
          unanswered="No answer came. Try again with the same code; if it was taken already, your profile shows the address."
          back={{ label: 'Back', onClick: () => void show(undefined) }}
          onConfirm={({ otp }, onError) =>
            save.mutate(
              { ...asked.asked, otp },
              {
                onSuccess: ({ usable_from }) => {
                  toast.success('Payout address saved', `Withdrawals go to it from ${formatDateTime(usable_from)} on.`);
                  close();
                },
                onError: (error) => {
                  onError(error);
                  // What the server says of the address itself belongs to the step that asks for it.
                  if (error instanceof CallError && error.fields.address !== undefined) void show(undefined);
                },
              },
            )
          }
        >
          <KeyValues
            rule
            items={[
              ['Network', networkName(asked.asked.network)],
              ['Paid as', paidAs(asked.asked.network)],
            ]}
          />
          <div>
            <div className={classes.label}>All withdrawals go to</div>
            <div className={classes.box}>
              <GroupedAddress address={asked.asked.address} />
            </div>
          </div>
          <CodeSent to={asked.code.sentTo} delayed={asked.code.delayed}>
            It confirms exactly this and nothing else.
          </CodeSent>
        </CodeForm>
      )}
    </Dialog>
  );
}
