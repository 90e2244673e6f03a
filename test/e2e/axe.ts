import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface WithAxe {
  axe?: { run(context: Element | Document, options: RunOptions): Promise<AxeResults> }
}

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * No violation of WCAG 2.2 A or AA on what is on show now, or of a dialog or menu that is open, which nobody gets past; in the other theme, where
 * nothing but colours is different, none of contrast.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  // Half a megabyte, which lives as long as the page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  expect(await violations(page, LEVELS), what).toEqual([])
  const shown = await switchTheme(page, null)
  expect(await violations(page, ['color-contrast']), `${what}, in the other theme`).toEqual([])
  await switchTheme(page, shown)
}

async function violations(page: Page, runOnly: string[]): Promise<string[] | undefined> {
  // What fades in has its colours only when it has arrived.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        // What follows the scroll position never ends, nor does what waits.
        .filter(
          ({ effect, timeline, playState }) =>
            playState !== 'paused' && timeline === document.timeline && effect?.getComputedTiming().iterations !== Infinity,
        )
        .map(({ finished }) => finished),
    ),
  )
  return page.evaluate(async (only) => {
    const { axe } = globalThis as WithAxe
    const open = document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu]')
    const results = await axe?.run(open[open.length - 1] ?? document, { runOnly: only, resultTypes: ['violations'], iframes: false })
    return results?.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  }, runOnly)
}

/** Only what is drawn: what the person has chosen stays as it is. @param to the classes of the page before; null for the other theme @returns those now left */
async function switchTheme(page: Page, to: string | null): Promise<string> {
  return page.evaluate((classes) => {
    const root = document.documentElement
    const left = root.className
    const names = root.classList.contains('dark') ? ['theme-light', 'light'] : ['theme-dark', 'dark']
    root.className = classes ?? names.join(' ')
    return left
  }, to)
}
