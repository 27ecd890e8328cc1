// Sets the chosen theme before the first paint, so that nothing flashes, and follows it until the app itself takes over.
(() => {
  const apply = () => {
    let choice = 'dark';
    try {
      choice = localStorage.getItem('tradewind-color-scheme') || 'dark';
    } catch {
      // Without storage there is no choice to remember.
    }
    const isLight = choice === 'light' || (choice === 'auto' && matchMedia('(prefers-color-scheme: light)').matches);
    document.documentElement.setAttribute('data-mantine-color-scheme', isLight ? 'light' : 'dark');
  };
  apply();
  addEventListener('storage', apply);
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', apply);
})();
