import { type BrowserContext, expect, type Page } from '@playwright/test'

type Kind = 'notice' | 'aloud'

/** What the pages have said and no walk has asked for yet. */
const said = new WeakMap<Page, { kind: Kind; text: string }[]>()

/**
 * From now on every notice of these pages is remembered, and what they have read aloud: what stands there for a second, a slow machine may not
 * once have looked at.
 */
export async function rememberNotices(context: BrowserContext): Promise<void> {
  await context.exposeBinding('rememberSaid', ({ page }, kind: Kind, text: string) => {
    said.set(page, [...(said.get(page) ?? []), { kind, text }])
  })
  await context.addInitScript(() => {
    const places = { notice: '[data-part=notice]', aloud: '.sr-only[role=status]' }
    const last = new WeakMap<Element, string>()
    const remember = (kind: Kind, place: Element) => {
      const text = place.textContent ?? ''
      if (last.get(place) === text) return
      last.set(place, text)
      if (text === '') return
      const { rememberSaid } = globalThis as { rememberSaid?: (kind: Kind, text: string) => Promise<void> }
      // A page that is being left has nobody to tell.
      rememberSaid?.(kind, text).catch(() => undefined)
    }
    const look = (kind: Kind, { target, addedNodes }: MutationRecord) => {
      // What was there says something else now.
      const changed = (target instanceof Element ? target : target.parentElement)?.closest(places[kind])
      if (changed) remember(kind, changed)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        if (node.matches(places[kind])) remember(kind, node)
        for (const place of node.querySelectorAll(places[kind])) remember(kind, place)
      }
    }
    new MutationObserver((changes) => {
      for (const change of changes) for (const kind of ['notice', 'aloud'] as const) look(kind, change)
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

/** The page has said this in a notice, now or before, and nobody has asked for it: each notice answers one question. */
export async function expectNotice(page: Page, text: string): Promise<void> {
  await expectSaid(page, 'notice', text)
}

/** The page has read this aloud, now or before, and nobody has asked for it. */
export async function expectReadAloud(page: Page, text: string): Promise<void> {
  await expectSaid(page, 'aloud', text)
}

async function expectSaid(page: Page, kind: Kind, text: string): Promise<void> {
  const texts = () => (said.get(page) ?? []).filter((one) => one.kind === kind).map((one) => one.text)
  await expect.poll(() => texts().find((one) => one.includes(text)) ?? `only: ${texts().join(' | ')}`).toContain(text)
  const all = said.get(page) ?? []
  const at = all.findIndex((one) => one.kind === kind && one.text.includes(text))
  said.set(page, all.toSpliced(at, 1))
}
