/**
 * What a phone needs to put the app on its home screen, under the name of this installation. The address it opens is
 * the dashboard, which leads on to sign-in when nobody is signed in.
 */
export const manifestOf = (brandName: string) => ({
  name: brandName,
  short_name: brandName.slice(0, 12),
  description: 'Trade 16 crypto pairs in a daily session. Trading can lose money. Nothing here promises a return.',
  id: '/',
  start_url: '/dashboard',
  scope: '/',
  display: 'standalone',
  background_color: '#0a0f17',
  theme_color: '#0a0f17',
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  ],
});
