import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  publicDir: 'src/web/public',
  build: {
    outDir: 'dist/web',
    manifest: true,
    // The server writes the page's HTML itself (src/server/core/document.ts) and finds the assets in the manifest.
    rollupOptions: { input: 'src/web/main.tsx' },
    modulePreload: { polyfill: false },
  },
  server: { cors: { origin: /^http:\/\/(localhost|127\.0\.0\.1):\d+$/ } },
})
