export { movementKinds as filterKinds, wordsOfKind } from '#contract/ledger-reasons.ts';
