import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The desk's own configuration, from the read-only toolchain: one in the tree is never read. */
export default defineConfig({
  root: '/desk/app',
  cacheDir: '/cache/vite',
  plugins: [react()],
  resolve: { alias: { '@choiros/sdk': '/opt/choir/sdk' }, preserveSymlinks: false },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    // Broken code leaves the desktop as it was; a sheet over all of it would lock the person out.
    hmr: { overlay: false },
    fs: { strict: true, allow: ['/desk/app', '/opt/choir/sdk', '/node_modules', '/cache/vite'] },
  },
  optimizeDeps: { include: ['react', 'react-dom/client', 'react/jsx-dev-runtime'] },
  clearScreen: false,
})
