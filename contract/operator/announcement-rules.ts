/** What fits into an announcement. Without schemas, so that browsers can read it, too. */
export const announcementRules = { titleMaxLength: 80, textMaxLength: 1000 } as const;
