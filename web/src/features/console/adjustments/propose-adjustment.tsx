import { Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { consoleAdjustments, consoleMembers } from '#contract/endpoints.ts';
import { uplineLookupDebounceMs, type WalletType } from '#contract/rules.ts';
import { CallError, call } from '../../../api/call.ts';
import { walletNames } from '../../../entities/trade/labels.ts';
import { CodeText } from '../../../ui/text/text.tsx';
import { REASON_MISSING, readSignedAmount, SegmentsField, SendDialog, toApprove } from '../kit/dialog-form.tsx';

type Named = { id: string; name: string; referral_code: string };

/** The member with this Registered Id, or this id; null if there is none. */
const memberQuery = (typed: string) =>
  queryOptions<Named | null>({
    queryKey: ['operator', 'members', 'named', typed],
    queryFn: async ({ signal }) => {
      const { items } = await call(consoleMembers.findMembers, { query: { search: typed }, signal });
      return items.find(({ found_by: by }) => by === 'referral_code' || by === 'id') ?? null;
    },
  });

const UNKNOWN = 'No member has this Registered Id.';
const nothing = { member: '', wallet_type: 'primary', amount: '', reason: '', evidence: '' };
const wallets = (['primary', 'profit'] as const).map((value) => ({ value, label: walletNames[value] }));

type ProposeAdjustmentProps = {
  opened: boolean;
  onClose: () => void;
  /** From a member's page, whose wallet it is; without one the dialog asks. */
  member?: Named;
};

/** Nothing moves until a second operator approves it. */
export function ProposeAdjustment({ opened, onClose, member }: ProposeAdjustmentProps) {
  const client = useQueryClient();
  const idOf = async (typed: string) => {
    const found = member ?? (await client.fetchQuery(memberQuery(typed)));
    if (found === null) throw new CallError(404, UNKNOWN, { fields: { member: UNKNOWN } });
    return found.id;
  };
  return (
    <SendDialog
      {...{ opened, onClose }}
      title="Propose an adjustment"
      initial={nothing}
      check={({ member: typed, amount, reason, evidence }) => ({
        ...(!member && typed === '' && { member: 'Enter the Registered Id.' }),
        ...(readSignedAmount(amount) === undefined && {
          amount: 'Enter an amount other than 0, with a − for a debit.',
        }),
        ...checkWhy({ reason, evidence }),
      })}
      confirm="Propose adjustment"
      busyLabel="Proposing"
      send={async ({ member: typed, wallet_type, amount, ...why }) =>
        call(consoleAdjustments.proposeAdjustment, {
          body: {
            ...why,
            member_id: await idOf(typed),
            wallet_type: wallet_type as WalletType,
            amount: readSignedAmount(amount) ?? 0,
          },
        })
      }
      refreshes={['adjustments', 'overview']}
      done={toApprove('Adjustment proposed')}
    >
      {({ values, set, typed, amount }) => (
        <>
          {member ? (
            <Text>
              {member.name} <CodeText>{member.referral_code}</CodeText>
            </Text>
          ) : (
            <TextInput
              label="Registered Id"
              description={<MemberName typed={values.member.trim()} />}
              autoComplete="off"
              autoCapitalize="characters"
              {...typed('member')}
            />
          )}
          <SegmentsField
            label="Wallet"
            options={wallets}
            value={values.wallet_type as WalletType}
            onChange={(wallet) => set('wallet_type', wallet)}
          />
          <TextInput label="Amount" description="In dollars. A minus sign debits the wallet." {...amount('amount')} />
          <WhyFields typed={typed} />
        </>
      )}
    </SendDialog>
  );
}

export const checkWhy = ({ reason, evidence }: { reason: string; evidence: string }) => ({
  ...(reason === '' && { reason: REASON_MISSING }),
  ...(evidence === '' && { evidence: 'Enter the evidence.' }),
});

type WhyFieldsProps = { typed: (name: 'reason' | 'evidence') => object };

export const WhyFields = ({ typed }: WhyFieldsProps) => (
  <>
    <Textarea label="Reason" description="Visible to the member." rows={2} maxLength={300} {...typed('reason')} />
    <Textarea
      label="Evidence"
      description="For operators only: tickets, transactions, calculations."
      rows={3}
      maxLength={1000}
      {...typed('evidence')}
    />
  </>
);

/** Whose wallet it would be, before anything is proposed. */
function MemberName({ typed }: { typed: string }) {
  const [settled] = useDebouncedValue(typed, uplineLookupDebounceMs);
  const { data } = useQuery({ ...memberQuery(settled), enabled: settled !== '' });
  if (typed === '' || settled !== typed || data === undefined) return 'The name appears here.';
  return (
    <Text span inherit c={data === null ? 'var(--tw-loss)' : 'var(--tw-text)'} role="status">
      {data === null ? UNKNOWN : data.name}
    </Text>
  );
}
