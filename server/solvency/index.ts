/** Whether what is held covers what is owed: the sheet with its reported figures, the proof of liabilities, the alarms. */
export { type Alarm, clearAlarm, getAlarms, raiseAlarm } from './alarm.ts';
export { askForSnapshot, takeRequestedSnapshots } from './ask-for-snapshot.ts';
export type { Holding } from './core/counted-assets.ts';
export { parseKeptHeads } from './core/kept-heads.ts';
export { readCover } from './get-reported.ts';
export { publishHeads } from './heads/publish-heads.ts';
export { readLastSeals } from './heads/read-heads.ts';
export { rotateSealKey } from './heads/rotate-seal-key.ts';
export { sendAnchors } from './heads/send-anchors.ts';
export { verifyKept, verifySignatures } from './heads/verify-signatures.ts';
export { snapshotKeyUse } from './key-of-snapshot.ts';
export { reportBalances } from './report-balances.ts';
export { publishReserve, type SignedReserve, writeReserveProposal } from './reserves/reserve-statement.ts';
export { mountReserves, mountSolvency, mountTreasury } from './routes.ts';
export { showSnapshot } from './show-snapshot.ts';
export { takeDailySnapshot } from './take-snapshot.ts';
export { verifySnapshots } from './verify-snapshots.ts';
export { watchSolvency } from './watch-solvency.ts';
