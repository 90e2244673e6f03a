import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { loadLateMessages } from './i18n.tsx'

const AGAIN_MS = 3000

/**
 * A component that is loaded, with the remaining messages, when it is first rendered.
 * @param when delays loading, for a component that is rendered from the start but can wait; it is then retried until it succeeds
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  when?: () => Promise<void>,
): LazyExoticComponent<ComponentType<Props>> {
  const both = async () => {
    const messages = loadLateMessages()
    messages.catch(() => undefined)
    // If neither arrives, the part says why, and its caller knows its errors.
    const part = await load()
    await messages
    return { default: part }
  }
  if (when === undefined) return lazy(both)
  return lazy(async () => {
    await when()
    return untilThere(both)
  })
}

async function untilThere<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    return untilThere(attempt)
  }
}
