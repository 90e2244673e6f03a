import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../i18n/lazy-part.ts'
import type { History } from '../router/history.ts'
import { Router } from '../router/router.tsx'
import { notify } from '../data/notices.ts'
import { createQueryClient } from '../data/query.ts'
import { isSettled, useSession } from '../data/session.ts'
import { whenIdle } from '../data/when-idle.ts'
import { errorOutput, errorText, useLanguage } from '../i18n/i18n.tsx'
import { TooltipHost } from '../ui/tooltip.tsx'
import { Prompts } from './prompts.tsx'
import { routes } from './router.tsx'

/** Loaded after the first rows. */
const UploadsFrame = lazyPart(
  async () => (await import('./uploads-frame.tsx')).UploadsFrame,
  () => whenIdle(2000),
)

/** Notices raised before this has loaded are shown once it has. */
const Notices = lazyPart(
  async () => (await import('./notices.tsx')).Notices,
  () => whenIdle(1000),
)

export function App({ history }: { history: History }) {
  const language = useLanguage()
  const who = useSession((state) => state.user?.id ?? null)
  const settled = useSession(isSettled)
  return (
    // Another user must not see the previous user's state.
    <Fresh key={who ?? 'nobody'}>
      {/* A language change remounts the tree, because texts are read during rendering. */}
      <Router key={language.code} history={history} routes={routes} />
      {who !== null && settled && (
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
  const [queries] = useState(() => createQueryClient({ onError: report }))
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}

function report(error: unknown): void {
  notify({ tone: 'error', text: errorText(error), output: errorOutput(error) })
}
