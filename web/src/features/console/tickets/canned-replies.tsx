import { ActionIcon, Box, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconMessages, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operatorTickets } from '#contract/endpoints.ts';
import type { CannedReply } from '#contract/tickets/tickets.ts';
import { call } from '../../../api/call.ts';
import { sendTo } from '../../../api/send-to.ts';
import { messageError } from '../../../entities/ticket/message-count.tsx';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { Rows } from '../../../ui/layout/panel.tsx';
import { LoadFailed } from '../kit/list-table.tsx';
import { useFields } from '../kit/use-fields.ts';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { cannedRepliesQuery } from './queries.ts';

const TITLE_MAX_LENGTH = 80;

/** Frequent answers; everybody who answers tickets can edit them. */
export function CannedReplies() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconMessages size={16} stroke={1.5} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Canned replies
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Canned replies" size={560}>
        <Replies />
      </Dialog>
    </>
  );
}

type Edited = { title: string; text: string; isNew: boolean };
const blank: Edited = { title: '', text: '', isNew: true };

function Replies() {
  const query = useQuery(cannedRepliesQuery);
  const [edited, setEdited] = useState<Edited>();
  if (query.data === undefined) return query.isError ? <LoadFailed query={query} /> : null;
  if (edited !== undefined) return <Editor edited={edited} onDone={() => setEdited(undefined)} />;
  return (
    <Stack py={4}>
      {query.data.items.length === 0 ? (
        <Text size="sm" c="var(--tw-text-2)">
          No canned replies yet. Save texts that you send often and insert them into answers.
        </Text>
      ) : (
        <Rows aria-label="Canned replies">
          {query.data.items.map((reply) => (
            <Reply
              key={reply.id}
              reply={reply}
              onEdit={() => setEdited({ title: reply.title, text: reply.text, isNew: false })}
            />
          ))}
        </Rows>
      )}
      <Button style={{ alignSelf: 'flex-start' }} variant="default" onClick={() => setEdited(blank)}>
        New reply
      </Button>
    </Stack>
  );
}

function Reply({ reply, onEdit }: { reply: CannedReply; onEdit: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useOperatorMutation(
    () => call(operatorTickets.deleteCannedReply, { params: { id: reply.id } }),
    ['canned-replies'],
    () => toast.success('Canned reply deleted'),
  );
  return (
    <Group component="li" gap="sm" align="flex-start" wrap="nowrap" fz="sm">
      <Box flex={1} miw={0}>
        <Text size="sm" fw={600}>
          {reply.title}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {reply.text}
        </Text>
      </Box>
      {isAsking ? (
        <Group gap={4} flex="none">
          <Button size="sm" variant="subtle" data-autofocus onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <BusyButton
            size="sm"
            variant="danger"
            busy={remove.isPending}
            busyLabel="Deleting"
            onClick={() => remove.mutate()}
          >
            Delete reply
          </BusyButton>
        </Group>
      ) : (
        <Group gap={4} flex="none">
          <ActionIcon aria-label={`Edit ${reply.title}`} onClick={onEdit}>
            <IconPencil size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
          <ActionIcon aria-label={`Delete ${reply.title}`} onClick={() => setAsking(true)}>
            <IconTrash size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
        </Group>
      )}
    </Group>
  );
}

/** A reply is identified by its title, so that of an existing one is fixed. */
function Editor({ edited, onDone }: { edited: Edited; onDone: () => void }) {
  const save = useOperatorMutation(sendTo(operatorTickets.saveCannedReply), ['canned-replies']);
  const { form, fields, submit } = useFields({
    initial: { title: edited.title, text: edited.text },
    check: ({ title, text }) => ({
      title: title === '' ? 'Enter a title.' : undefined,
      text: messageError(text).message,
    }),
    isBusy: save.isPending,
    onSend: (values, onError) =>
      save.mutate(values, {
        onSuccess: () => {
          toast.success('Canned reply saved');
          onDone();
        },
        onError,
      }),
  });
  return (
    <Stack
      py={4}
      renderRoot={(props) => <form {...props} ref={form} onSubmit={submit} noValidate />}
      aria-label={edited.isNew ? 'New reply' : edited.title}
    >
      <TextInput
        label="Title"
        description={edited.isNew ? 'An existing reply with this title is replaced.' : undefined}
        maxLength={TITLE_MAX_LENGTH}
        {...fields.typed('title')}
        {...(edited.isNew ? { 'data-autofocus': true } : { readOnly: true })}
      />
      <Textarea
        label="Text"
        autosize
        minRows={4}
        maxRows={14}
        {...fields.typed('text')}
        data-autofocus={edited.isNew ? undefined : true}
        onChange={(event) => fields.set('text', event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" disabled={save.isPending} onClick={onDone}>
          Back
        </Button>
        <BusyButton type="submit" busy={save.isPending} busyLabel="Saving">
          Save reply
        </BusyButton>
      </Group>
    </Stack>
  );
}
