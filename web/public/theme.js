// Sets the chosen theme before the first paint, so that nothing flashes. The app itself takes over in shared/theme.ts.
(() => {
  let choice = 'dark';
  try {
    choice = localStorage.getItem('tradewind-color-scheme') || 'dark';
  } catch {
    // Without storage there is no choice to remember.
  }
  const isLight = choice === 'light' || (choice === 'auto' && matchMedia('(prefers-color-scheme: light)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isLight ? 'light' : 'dark');
})();
