import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { loadLateMessages } from './i18n.tsx'

const AGAIN_MS = 3000

/**
 * A part of the program that is fetched when it is first shown, and with it the messages that the first page does without.
 * @param when until then nothing is fetched, for what is shown from the start and can wait. It is asked for until it arrives: nobody would miss
 * the page for it, should the server be away at that moment
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  when?: () => Promise<void>,
): LazyExoticComponent<ComponentType<Props>> {
  const both = async () => {
    const [part] = await Promise.all([load(), loadLateMessages()])
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
