import { z } from 'zod';
import { controlMessage, endpoint, hasNoControl, id, instant, line, nothing, page, paging } from '../endpoint.ts';
import { announcementRules } from './announcement-rules.ts';

/** Lines may be broken; other control characters are refused. Nothing in it is ever read as HTML. */
const announcementText = z
  .string('Write the text.')
  .max(announcementRules.textMaxLength, `At most ${announcementRules.textMaxLength} characters.`)
  .transform((text) => text.replaceAll('\r\n', '\n').trim())
  .refine((text) => hasNoControl(text.replaceAll('\n', '')), controlMessage)
  .pipe(z.string().min(1, 'Write the text.'));

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

const by = z.strictObject({ id, name: z.string() });

/** `waiting` → `in_force` → `over` by its period; `ended` by an operator before its time. */
export const announcementStates = ['waiting', 'in_force', 'over', 'ended'] as const;
export type AnnouncementState = (typeof announcementStates)[number];

const deskAnnouncement = announcement.extend({
  state: z.enum(announcementStates),
  written_by: by,
  written_at: instant,
  ended_by: by.nullable(),
  ended_at: instant.nullable(),
});
export type DeskAnnouncement = z.output<typeof deskAnnouncement>;

const one = z.strictObject({ id });

/** What operators tell all members. */
export const announcements = {
  listAnnouncements: endpoint({
    method: 'GET',
    path: '/announcements',
    access: 'member',
    summary: 'Announcements in force, the one that began last first',
    data: z.strictObject({ items: z.array(memberAnnouncement) }),
    refusals: [],
  }),
  dismissAnnouncement: endpoint({
    method: 'POST',
    path: '/announcements/:id/dismiss',
    access: 'member',
    summary: 'Put an announcement away, on every device; it stays among the notifications while it is in force',
    params: one,
    data: nothing,
    refusals: ['announcement_not_found'],
  }),
};

const writers = ['support', 'admin'] as const;

/** The desk that writes them (docs/product.md, section 10). What was announced is never changed, only ended. */
export const announcementDesk = {
  listDeskAnnouncements: endpoint({
    method: 'GET',
    path: '/operator/announcements',
    access: writers,
    summary: 'All announcements, newest first',
    query: z.strictObject(paging),
    data: page(deskAnnouncement),
    refusals: [],
  }),
  writeAnnouncement: endpoint({
    method: 'POST',
    path: '/operator/announcements',
    access: writers,
    summary: 'Tell all members something, for a while',
    body: z.strictObject({
      title: line(announcementRules.titleMaxLength, 'Give it a title.'),
      text: announcementText,
      /** At once without it, or when it is past. */
      from: instant.optional(),
      to: instant,
    }),
    data: deskAnnouncement,
    refusals: ['period_turned', 'period_over'],
  }),
  endAnnouncement: endpoint({
    method: 'POST',
    path: '/operator/announcements/:id/end',
    access: writers,
    summary: 'End an announcement before its time, or before it began',
    params: one,
    data: deskAnnouncement,
    refusals: ['announcement_not_found', 'announcement_over'],
  }),
};
