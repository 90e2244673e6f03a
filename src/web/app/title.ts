import { useEffect } from 'react'
import { useMatches } from 'react-router'
import { useTitleOfPlace } from '../data/title.ts'
import { type MessageKey, t } from '../i18n/i18n.tsx'

export type RouteTitle = Extract<MessageKey, `title.${string}`>

/** The `handle` of a route that gives the page its title. */
export function titled(title: RouteTitle): { title: RouteTitle } {
  return { title }
}

/** The document's title: the route's name, after the name of the folder or file if there is one. */
export function useDocumentTitle(): void {
  const title = useMatches()
    .map(titleOf)
    .findLast((one) => one !== null)
  const place = useTitleOfPlace((state) => state.place)
  // Talks to the browser's tab.
  useEffect(() => {
    if (title) document.title = place === null ? t(title) : `${place} - ${t(title)}`
  }, [title, place])
}

function titleOf({ handle }: { handle: unknown }): RouteTitle | null {
  if (typeof handle !== 'object' || handle === null || !('title' in handle)) return null
  // Handles are written by `titled` only.
  return handle.title as RouteTitle
}
