/** The key that signs seals, outside the database (docs/ledger.md, "Signatures"). */
export { fingerprintOf, isSignedBy, PrivateKey } from './ed25519.ts';
export { makeKeyFile, readKeyFile, replaceKeyFile, type SealKey } from './key-file.ts';
export { findSigner, type LastSeals, makeStatement, statementFaults } from './key-statements.ts';
export { openSealKey, readStatements, shortOf } from './open-seal-key.ts';
export { signSeal } from './sign-seal.ts';
export {
  insertStatement,
  isSealedWithKey,
  listSignatures,
  listStatements,
  lockKeys,
} from './signing-sql.ts';
