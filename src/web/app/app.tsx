import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../i18n/lazy-part.ts'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from '../data/query.ts'
import { useSession } from '../data/session.ts'
import { useLanguage } from '../i18n/i18n.tsx'
import { TooltipHost } from '../ui/tooltip.tsx'
import { Notices } from './notices.tsx'
import { Prompts } from './prompts.tsx'
import { reportUnexpected } from './report.ts'
import { createRouter } from './router.tsx'

const UploadsFrame = lazyPart(async () => (await import('./uploads-frame.tsx')).UploadsFrame)

export function App() {
  const language = useLanguage()
  const [router] = useState(createRouter)
  const who = useSession((state) => state.user?.id ?? null)
  return (
    // What one person saw is not there for the next.
    <Fresh key={who ?? 'nobody'}>
      {/* A new language draws everything anew: texts are read while drawing. */}
      <RouterProvider key={language.code} router={router} onError={reportUnexpected} />
      {who !== null && (
        <Suspense>
          <UploadsFrame />
        </Suspense>
      )}
      <Prompts />
      <Notices />
      <TooltipHost />
    </Fresh>
  )
}

function Fresh({ children }: { children: ReactNode }) {
  const [queries] = useState(createQueryClient)
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}
