/**
 * Who stands below whom, ten levels deep: a member's sponsor is fixed at registration (docs/product.md, section 7,
 * docs/incomes.md, "Team").
 */
export { maskEmail, maskMobile } from './core/mask.ts';
export { type TeamCount, teamSizes } from './count-sql.ts';
export { countTeams, findCountHorizon } from './count-teams.ts';
export { findLevel } from './find-level.ts';
export { findShortList, type LevelList, type LevelPage, listLevel } from './list-level.ts';
export { findUpline, levelMembers, sponsorLinks } from './place-sql.ts';
export { countWords, listIdsByName } from './search-sql.ts';
export { sumTeamCounts } from './sum-team-counts.ts';
