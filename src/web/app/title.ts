import { useEffect } from 'react'
import { useTitleOfPlace } from '../data/title.ts'
import { type MessageKey, t } from '../i18n/i18n.tsx'
import { useMatched } from '../router/router.tsx'

export type RouteTitle = Extract<MessageKey, `title.${string}`>

/** The `title` of a route. */
export function titled(title: RouteTitle): () => string {
  return () => t(title)
}

/** Sets the document title: the name of the current folder or file, then the title of the route. */
export function useDocumentTitle(): void {
  const title = useMatched().at(-1)?.title
  const place = useTitleOfPlace((state) => state.place)
  // Synchronises with the browser's tab.
  useEffect(() => {
    if (title) document.title = place === null ? title() : `${place} - ${title()}`
  }, [title, place])
}
