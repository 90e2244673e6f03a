import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { loadLateTexts } from './i18n.tsx'

/**
 * A part of the program that is fetched when it is first shown, and with it the messages that the first page does without.
 * @param when until then nothing is fetched, for what is shown from the start and can wait
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  when?: () => Promise<void>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    await when?.()
    const [part] = await Promise.all([load(), loadLateTexts()])
    return { default: part }
  })
}
