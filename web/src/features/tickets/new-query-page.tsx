import { ActionIcon, Box, Button, Group, Input, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type FormEvent, useId, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { ticketCategories, ticketRules, ticketSubjects } from '#contract/tickets/ticket-rules.ts';
import type { TicketAbout } from '#contract/tickets/tickets.ts';
import { CallError } from '../../api/call.ts';
import { useMember } from '../../api/sign-in-state.ts';
import { t } from '../../api/texts.ts';
import { AttachButton, ChosenFiles } from '../../entities/ticket/attachment-picker.tsx';
import { MessageCount, messageError } from '../../entities/ticket/message-count.tsx';
import { categoryOptions } from '../../entities/ticket/ticket-labels.ts';
import { useAttachments } from '../../entities/ticket/use-attachments.ts';
import { useFileDrop } from '../../entities/ticket/use-file-drop.ts';
import { labelOf } from '../../ui/forms/ask-about.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { useFirstError } from '../../ui/forms/use-first-error.ts';
import { toast } from '../../ui/frame/toast.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { Trans } from '../../ui/text/text.tsx';
import { useDraft } from '../../ui/use-draft.ts';
import classes from './new-query.module.css';
import { useCreateTicket } from './queries.ts';

/** The subject of the query is in the address (`?about=trade:17`). */
export function NewQueryPage() {
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  return (
    <>
      <PageHead title={t`New query`} facts={t`Our support team replies here and by email`} />
      <Box w="100%" maw={760}>
        <Panel>
          <NewQueryForm
            about={readAbout(search, state)}
            onDropAbout={() => setSearch({}, { replace: true, preventScrollReset: true })}
          />
        </Panel>
      </Box>
    </>
  );
}

/** A draft is kept until it is sent. */
function NewQueryForm({ about, onDropAbout }: { about: About | undefined; onDropAbout: () => void }) {
  const { draft, change, clear } = useDraft(useMember()?.id ?? '', 'query', { subject: '', category: '', message: '' });
  const [errors, setErrors] = useState<QueryErrors>({});
  const attachments = useAttachments();
  const { isOver, drop } = useFileDrop((files) => void attachments.add(files));
  const navigate = useNavigate();
  const hintId = useId();
  const { form, focusFirstError } = useFirstError();
  // Told, and no draft any more, even if the page is left before the response.
  const create = useCreateTicket((ticket) => {
    clear();
    toast.success(
      t`Query sent`,
      t`Your reference is ${ticket.reference}. You are notified here and by email when support replies.`,
    );
  });
  const category = draft.category || (about ? categoryOf(about) : '');

  const edit = (next: Partial<typeof draft>) => {
    change(next);
    setErrors((now) => ({ ...now, ...Object.fromEntries(Object.keys(next).map((field) => [field, undefined])) }));
  };
  const show = (next: QueryErrors) => {
    setErrors(next);
    focusFirstError();
  };
  const refuse = (error: Error) => {
    if (!(error instanceof CallError)) return;
    attachments.refuse(error);
    show({ ...error.fields, ...(error.code === 'about_not_found' ? { about: error.message } : {}) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending || attachments.isReading) return;
    const checked = checkQuery({ ...draft, category });
    if (!checked.ok) return show(checked.errors);
    show({});
    create.mutate(
      {
        ...checked.query,
        ...attachments.bodies(),
        ...(about ? { about: { kind: about.kind, id: about.id } } : {}),
      },
      {
        onSuccess: (ticket) => void navigate(paths.oneQuery(ticket.id), { replace: true }),
        onError: refuse,
      },
    );
  };

  return (
    <form ref={form} className={classes.form} onSubmit={submit} noValidate data-over={isOver || undefined} {...drop}>
      {about && (
        <div>
          <div className={classes.about}>
            <span>
              <Trans text={t`About <b>${about.label}</b>`} b={(inner) => <b>{inner}</b>} />
            </span>
            <ActionIcon size="sm" aria-label={t`Remove ${about.label}`} onClick={onDropAbout}>
              <IconX size={16} stroke={1.5} aria-hidden />
            </ActionIcon>
          </div>
          {errors.about !== undefined && (
            <Input.Error mt={6} role="alert">
              {errors.about}
            </Input.Error>
          )}
        </div>
      )}
      <TextInput
        label={t`Subject`}
        maxLength={ticketRules.subjectMaxLength}
        autoComplete="off"
        error={errors.subject}
        errorProps={{ role: 'alert' }}
        value={draft.subject}
        onChange={(event) => edit({ subject: event.currentTarget.value })}
      />
      <Select
        label={t`Category`}
        placeholder={t`Choose a category`}
        data={categoryOptions}
        allowDeselect={false}
        error={errors.category}
        errorProps={{ role: 'alert' }}
        value={category === '' ? null : category}
        onChange={(next) => edit({ category: next ?? '' })}
      />
      <Textarea
        label={t`Message`}
        autosize
        minRows={6}
        maxRows={16}
        description={<MessageCount text={draft.message} />}
        error={errors.message}
        errorProps={{ role: 'alert' }}
        value={draft.message}
        onChange={(event) => edit({ message: event.currentTarget.value })}
      />
      <Stack gap="xs">
        <div>
          <AttachButton attachments={attachments} describedBy={hintId} />
          <span className={classes.drag}>{t`or drop files here`}</span>
        </div>
        <ChosenFiles attachments={attachments} hintId={hintId} />
      </Stack>
      {errors.about === undefined && <Refusal error={create.error} />}
      <Group justify="flex-end" gap="xs">
        <Button component={Link} to={paths.query} variant="subtle">{t`Back to your queries`}</Button>
        <BusyButton type="submit" busy={create.isPending} busyLabel={t`Sending`}>{t`Send`}</BusyButton>
      </Group>
    </form>
  );
}

type QueryErrors = Partial<Record<'subject' | 'category' | 'message' | 'about', string | undefined>>;
type TypedQuery = { subject: string; category: string; message: string };
type Query = Omit<TypedQuery, 'category'> & { category: (typeof ticketCategories)[number] };

function checkQuery(typed: TypedQuery): { ok: true; query: Query } | { ok: false; errors: QueryErrors } {
  const subject = typed.subject.trim();
  const category = ticketCategories.find((one) => one === typed.category);
  const message = typed.message.trim();
  const errors: QueryErrors = {
    ...(subject === '' ? { subject: t`Enter a subject.` } : {}),
    ...(category === undefined ? { category: t`Choose a category.` } : {}),
    ...messageError(message),
  };
  if (category === undefined || Object.keys(errors).length > 0) return { ok: false, errors };
  return { ok: true, query: { subject, category, message } };
}

const ID = /^[1-9]\d{0,17}$/;
const names = { movement: t`Line`, trade: t`Trade`, deposit: t`Deposit`, withdrawal: t`Withdrawal` } as const;
const categories = { movement: 'other', trade: 'trade', deposit: 'deposit', withdrawal: 'withdrawal' } as const;

type About = TicketAbout & { label: string };

/**
 * The subject in the address: `?about=trade:17` is trade 17; anything else is none. The link may have passed its public
 * reference, such as `DP-7M2QX4`.
 */
function readAbout(search: URLSearchParams, state: unknown): About | undefined {
  const [kindText, id = ''] = (search.get('about') ?? '').split(':');
  const kind = ticketSubjects.find((one) => one === kindText);
  if (kind === undefined || !ID.test(id)) return undefined;
  return { kind, id, label: labelOf(state) ?? `${names[kind]} ${id}` };
}

/** The most likely category for the subject. */
const categoryOf = (about: About): (typeof categories)[keyof typeof categories] => categories[about.kind];
