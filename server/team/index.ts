/**
 * The sponsor tree, ten levels deep: a member's sponsor is fixed at registration (docs/product.md, section 7,
 * docs/incomes.md, "Team").
 */
export { maskEmail, maskMobile } from './core/mask.ts';
export { countTeams, findCountWatermark, sumTeamCounts, type TeamCount, teamSizes } from './count-teams.ts';
export { countWords, findShortList, type LevelList, listIdsByName, listLevel } from './list-level.ts';
export { findLevel, findUpline, lastMemberId, levelMembers, sponsorLinks, uplines } from './place-sql.ts';
