import { z } from 'zod';
import { endpoint, id, instant, line, page, paging } from '../endpoint.ts';
import { actor, multilineText, one } from '../fields.ts';
import { announcementRules } from '../rules.ts';

/** Nothing in it is ever read as HTML. */
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
  /** The member put it away: it is no longer shown above the pages. */
  dismissed: z.boolean(),
});
export type Announcement = z.output<typeof memberAnnouncement>;

/** `waiting` → `in_force` → `over` by its period; `ended` by an operator before its time. */
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

/** What operators tell all members. */
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

/** Operators write them (docs/product.md, section 10). What was announced is never changed, only ended. */
export const operatorAnnouncements = {
  listOperatorAnnouncements: endpoint({
    method: 'GET',
    path: '/operator/announcements',
    access: writers,
    summary: 'List all announcements, newest first',
    query: z.strictObject(paging),
    data: page(operatorAnnouncement),
  }),
  writeAnnouncement: endpoint({
    method: 'POST',
    path: '/operator/announcements',
    access: writers,
    summary: 'Publish an announcement to all members for a period',
    body: z.strictObject({
      title: line(announcementRules.titleMaxLength, 'Give it a title.'),
      text: announcementText,
      /** At once without it, or when it is past. */
      from: instant.optional(),
      to: instant,
    }),
    data: operatorAnnouncement,
    refusals: ['period_turned', 'period_over'],
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
};
