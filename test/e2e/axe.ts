import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface WithAxe {
  axe?: { run(options: RunOptions): Promise<AxeResults> }
}

/** No violation of WCAG 2.2 A or AA on what is on show now. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  // What fades in has its colours only when it has arrived.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        // What follows the scroll position never ends.
        .filter(({ effect, timeline }) => timeline === document.timeline && effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    ),
  )
  await page.evaluate(SOURCE)
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as WithAxe
    const results = await axe?.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      resultTypes: ['violations'],
      iframes: false,
    })
    return results?.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  })
  expect(found, what).toEqual([])
}
