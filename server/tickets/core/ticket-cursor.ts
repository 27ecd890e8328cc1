/** Where a list that runs down instants and ids was left: instant in milliseconds and id of its last row. */
export type TicketPlace = { readonly at: Date; readonly id: bigint };

/** The cursor of a list of tickets: `1772625600000_17` for 2026-03-04 12:00 and 17. */
export const writeTicketCursor = ({ at, id }: TicketPlace): string => `${at.getTime()}_${id}`;

/** The other way round; undefined says that the text is no cursor of such a list. */
export function readTicketCursor(cursor: string): TicketPlace | undefined {
  const [, at, id] = /^(\d{12,14})_([1-9]\d{0,17})$/.exec(cursor) ?? [];
  return at === undefined || id === undefined ? undefined : { at: new Date(Number(at)), id: BigInt(id) };
}
