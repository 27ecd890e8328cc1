import { Text, TextInput } from '@mantine/core';
import type { BodyInOf } from '#contract/endpoint.ts';
import type { consoleStatement, Settlement, StatementFinding } from '#contract/operator/statement.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { DialogForm, REASON_MISSING, SegmentsField, sendBy } from '../kit/dialog-form.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { amountOf, effectOf, howLabels, titleOf } from './finding-facts.tsx';

type SettleDialogProps = { finding: StatementFinding; opened: boolean; onClose: () => void };

/** How an entry is settled; a second operator approves. */
export function SettleDialog({ finding, opened, onClose }: SettleDialogProps) {
  const propose = useOperatorMutation(
    (body: BodyInOf<typeof consoleStatement.proposeSettlement>) =>
      call(endpoints.consoleStatement.proposeSettlement, { body }),
    ['statement', 'overview'],
  );
  const send = sendBy(propose, onClose, ({ reference }) => [
    'Settlement proposed',
    `${reference} needs approval by a second operator.`,
  ]);
  const ways: readonly Settlement[] = finding.bookable ? ['booked', 'explained'] : ['explained'];
  return (
    <DialogForm
      {...{ opened, onClose }}
      title="Settle entry"
      initial={{ how: ways[0] as string, reason: '' }}
      check={({ reason }) => (reason === '' ? { reason: REASON_MISSING } : {})}
      isBusy={propose.isPending}
      confirm="Propose"
      busyLabel="Proposing"
      onSend={({ how, reason }, onError) => send({ finding_id: finding.id, how: how as Settlement, reason }, onError)}
    >
      {({ values, set, typed }) => (
        <>
          <Text size="sm">{`${titleOf(finding)}, ${amountOf(finding)}`}</Text>
          {ways.length > 1 && (
            <SegmentsField<Settlement>
              label="How"
              options={ways.map((value) => ({ value, label: howLabels[value] }))}
              value={values.how as Settlement}
              onChange={(how) => set('how', how)}
            />
          )}
          <Text size="sm" c="dimmed">
            {effectOf({ how: values.how as Settlement, finding })}
          </Text>
          <TextInput label="Reason" maxLength={300} {...typed('reason')} />
        </>
      )}
    </DialogForm>
  );
}
