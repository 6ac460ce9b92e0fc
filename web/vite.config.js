import { defineConfig } from 'vite'

/** Relative addresses: the page works under any path, and in a frame. */
export default defineConfig({
  base: './',
  worker: { format: 'iife' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/lab',
    emptyOutDir: true,
    target: 'es2022',
    // Parts name each other plainly, so that they can be put into one file.
    modulePreload: false,
    chunkSizeWarningLimit: 5000,
  },
})
