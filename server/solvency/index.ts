/** Whether what is held covers what is owed: the sheet with its reported figures, the proof of liabilities, the alarms. */
export { type Alarm, clearAlarm, getAlarms, raiseAlarm } from './alarm.ts';
export type { Holding } from './core/counted-assets.ts';
export { readCover } from './get-reported.ts';
export { reportBalances } from './report-balances.ts';
export { mountSolvency, mountTreasury } from './routes.ts';
export { showSnapshot } from './show-snapshot.ts';
export { takeAskedSnapshot, takeDailySnapshot } from './take-snapshot.ts';
export { verifySnapshots } from './verify-snapshots.ts';
export { watchSolvency } from './watch-solvency.ts';
