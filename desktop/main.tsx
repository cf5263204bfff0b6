import { createRoot } from 'react-dom/client'
import { Desktop } from './shell/desktop.tsx'

createRoot(document.getElementById('desktop') as HTMLElement).render(<Desktop />)
