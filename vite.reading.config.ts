import { defineConfig } from 'vite'

/** The process that reads one document (src/server/formats/process/run-process.ts), as JavaScript; packages stay where they are. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/reading',
    target: 'node24',
    rollupOptions: {
      input: ['reading-process', 'watchdog'].map((name) => `src/server/formats/process/${name}.ts`),
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash:7].js' },
    },
  },
})
