import { useEffect } from 'react'
import { useTitleOfPlace } from '../data/title.ts'
import { type MessageKey, t } from '../i18n/i18n.tsx'
import { useMatched } from '../router/router.tsx'

export type RouteTitle = Extract<MessageKey, `title.${string}`>

/** The `title` of a route. */
export function titled(title: RouteTitle): () => string {
  return () => t(title)
}

/** The document's title: the route's name, after the name of the folder or file if there is one. */
export function useDocumentTitle(): void {
  const title = useMatched().at(-1)?.title
  const place = useTitleOfPlace((state) => state.place)
  // Talks to the browser's tab.
  useEffect(() => {
    if (title) document.title = place === null ? title() : `${place} - ${title()}`
  }, [title, place])
}
