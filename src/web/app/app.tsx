import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../i18n/lazy-part.ts'
import type { History } from '../router/history.ts'
import { Router } from '../router/router.tsx'
import { createQueryClient } from '../data/query.ts'
import { useSession } from '../data/session.ts'
import { whenIdle } from '../data/when-idle.ts'
import { useLanguage } from '../i18n/i18n.tsx'
import { TooltipHost } from '../ui/tooltip.tsx'
import { Prompts } from './prompts.tsx'
import { routes } from './router.tsx'

/** After the first rows. */
const UploadsFrame = lazyPart(
  async () => (await import('./uploads-frame.tsx')).UploadsFrame,
  () => whenIdle(2000),
)

/** What is said before it is here is said then. */
const Notices = lazyPart(
  async () => (await import('./notices.tsx')).Notices,
  () => whenIdle(1000),
)

export function App({ history }: { history: History }) {
  const language = useLanguage()
  const who = useSession((state) => state.user?.id ?? null)
  return (
    // What one person saw is not there for the next.
    <Fresh key={who ?? 'nobody'}>
      {/* A new language draws everything anew: texts are read while drawing. */}
      <Router key={language.code} history={history} routes={routes} />
      {who !== null && (
        <Suspense>
          <UploadsFrame />
        </Suspense>
      )}
      <Prompts />
      <Suspense>
        <Notices />
      </Suspense>
      <TooltipHost />
    </Fresh>
  )
}

function Fresh({ children }: { children: ReactNode }) {
  const [queries] = useState(createQueryClient)
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}
