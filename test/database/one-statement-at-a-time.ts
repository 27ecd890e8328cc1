/**
 * Statements sent side by side in one transaction only queue in the driver, which warns once a process and will refuse
 * them. Nobody reads a warning of passing tests, so it fails them.
 */
function failSideBySide(warning: Error): void {
  if (warning.message.includes('already executing a query')) throw warning;
}

// Runs again for every test file, and the files of a worker share its process.
if (process.listeners('warning').every(({ name }) => name !== failSideBySide.name))
  process.on('warning', failSideBySide);
