/** What stands in lists of the team and of operators in place of the name of who closed their account. */
export const closedName = 'Closed account';
