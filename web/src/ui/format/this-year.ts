/** The current year, in UTC. A file of its own, so that tests choose it. */
export const thisYear = (): number => new Date().getUTCFullYear();
