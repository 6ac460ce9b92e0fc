import { defineConfig } from 'vite'

/** TypeScript as one file that imports no other: the page's worker and the command line load it. */
export default defineConfig({
  // It looks for no files of its own, wherever it runs.
  define: { 'process.browser': 'true' },
  build: {
    outDir: '../dist/lab/assets',
    emptyOutDir: false,
    target: 'es2022',
    chunkSizeWarningLimit: 5000,
    rolldownOptions: {
      input: { typescript: 'src/editor/typescript/index.ts' },
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: '[name].js' },
    },
  },
})
