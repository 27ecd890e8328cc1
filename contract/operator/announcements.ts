import { z } from 'zod';
import { endpoint, id, instant, line, page, pagingOrOne } from '../endpoint.ts';
import { actor, multilineText, one, operatorCode, secondFactorRefusals } from '../fields.ts';
import { announcementRules } from '../rules.ts';
import { decisionsOf, proposal } from './proposals.ts';

/** Never interpreted as HTML. */
const announcementText = multilineText(announcementRules.textMaxLength, 'Write the text.');

const announcement = z.strictObject({
  id,
  title: z.string(),
  /** Plain text, with line breaks. */
  text: z.string(),
  /** Real time. */
  from: instant,
  to: instant,
});

const memberAnnouncement = announcement.extend({
  /** Dismissed by the member: no longer shown above the pages. */
  dismissed: z.boolean(),
});
export type Announcement = z.output<typeof memberAnnouncement>;

/** `waiting` → `in_force` → `over` by its period; `ended` early by an operator. */
export const announcementStates = ['waiting', 'in_force', 'over', 'ended'] as const;
export type AnnouncementState = (typeof announcementStates)[number];

const operatorAnnouncement = announcement.extend({
  state: z.enum(announcementStates),
  written_by: actor,
  written_at: instant,
  ended_by: actor.nullable(),
  ended_at: instant.nullable(),
});
export type OperatorAnnouncement = z.output<typeof operatorAnnouncement>;

/** An announcement proposed by a support operator; its reason is the title. */
const announcementProposal = proposal.extend({
  title: z.string(),
  text: z.string(),
  /** Null: from its approval on. */
  from: instant.nullable(),
  to: instant,
  /** The resulting announcement. */
  announcement_id: id.nullable(),
});
export type AnnouncementProposal = z.output<typeof announcementProposal>;

/** Announcements to all members. */
export const announcements = {
  listAnnouncements: endpoint({
    method: 'GET',
    path: '/announcements',
    access: 'member',
    summary: 'List current announcements, latest first',
    data: z.strictObject({ items: z.array(memberAnnouncement) }),
  }),
  dismissAnnouncement: endpoint({
    method: 'POST',
    path: '/announcements/:id/dismiss',
    access: 'member',
    summary: 'Dismiss an announcement on every device; it stays among the notifications until it ends',
    params: one,
    refusals: ['announcement_not_found'],
  }),
};

const writers = ['support', 'admin'] as const;

const decisions = decisionsOf({
  path: '/operator/announcements/proposals',
  access: ['admin'],
  proposers: writers,
  what: 'an announcement',
  readers: writers,
  many: 'announcements that support operators proposed',
  effect: 'it is published',
  data: announcementProposal,
  refusals: ['announcement_over'],
});

/**
 * Operators write announcements (docs/product.md, section 9): an admin's is published directly, a support operator's
 * once an admin approves it. A published one is never changed, only ended, by any operator who may write them.
 */
export const operatorAnnouncements = {
  listOperatorAnnouncements: endpoint({
    method: 'GET',
    path: '/operator/announcements',
    access: writers,
    summary: 'List all announcements, newest first',
    query: z.strictObject(pagingOrOne),
    data: page(operatorAnnouncement),
  }),
  writeAnnouncement: endpoint({
    method: 'POST',
    path: '/operator/announcements',
    access: writers,
    summary: 'Publish an announcement to all members for a period; a support operator’s waits for an admin',
    body: z.strictObject({
      title: line(announcementRules.titleMaxLength, 'Give it a title.'),
      text: announcementText,
      /** If omitted or past, it takes effect at once. */
      from: instant.optional(),
      to: instant,
      otp: operatorCode,
    }),
    /** Exactly one of them is set. */
    data: z.strictObject({ announcement: operatorAnnouncement.nullable(), proposal: announcementProposal.nullable() }),
    refusals: ['period_turned', 'period_over', ...secondFactorRefusals],
  }),
  endAnnouncement: endpoint({
    method: 'POST',
    path: '/operator/announcements/:id/end',
    access: writers,
    summary: 'End an announcement early',
    params: one,
    data: operatorAnnouncement,
    refusals: ['announcement_not_found', 'announcement_over'],
  }),
  listAnnouncementProposals: decisions.list,
  approveAnnouncement: decisions.approve,
  rejectAnnouncement: decisions.reject,
  withdrawAnnouncement: decisions.withdraw,
};
