import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { choose, dialog, row } from './listing.ts'
import { expect, signIn, test } from './served.ts'

test('a folder can be downloaded in the chosen archive format, and the dialog shows its size', async ({ page, served }) => {
  await served.write('docs/a.txt', 'the text of a')
  await served.write('docs/deep/b.txt', 'b')
  await signIn(page, served)
  await choose(page, row(page, 'docs'), 'Download')
  const prompt = dialog(page, 'Download “docs”')
  await expect(prompt.getByRole('button', { name: 'zip', exact: true })).toBeFocused()
  await expect(prompt.getByRole('button').filter({ hasText: /^(zip|tar)/ })).toHaveText([
    'zip',
    'tar',
    'tar.gz',
    'tar.bz2',
    'tar.xz',
    'tar.lz4',
    'tar.sz',
    'tar.zst',
    'tar.br',
  ])
  await expect(prompt.getByText(/^\d+ bytes\. An interrupted download/)).toBeVisible()
  await expectAccessible(page, 'the download prompt')
  const [name, path] = await downloaded(page, () => prompt.getByRole('button', { name: 'tar.gz', exact: true }).click())
  expect(name).toBe('docs.tar.gz')
  expect(execFileSync('tar', ['tzf', path], { encoding: 'utf8' }).trim().split('\n')).toEqual(['a.txt', 'deep/', 'deep/b.txt'])
  await expect(prompt).toHaveCount(0)
})

test('several entries are downloaded as an archive, and a single file as it is', async ({ page, served }) => {
  await served.write('a, b.txt', 'comma')
  await served.write('c+d.txt', 'plus')
  await served.write('e.txt', 'no')
  await signIn(page, served)
  await row(page, 'a, b.txt').click()
  await row(page, 'c+d.txt').click({ modifiers: ['ControlOrMeta'] })
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Download' }).click()
  const prompt = dialog(page, 'Download 2 items')
  const [, path] = await downloaded(page, () => prompt.getByRole('button', { name: 'tar', exact: true }).click())
  expect(execFileSync('tar', ['tf', path], { encoding: 'utf8' }).trim().split('\n')).toEqual(['a, b.txt', 'c+d.txt'])
  await page.keyboard.press('Escape')
  const [name, file] = await downloaded(page, () => choose(page, row(page, 'e.txt'), 'Download'))
  expect([name, readFileSync(file, 'utf8')]).toEqual(['e.txt', 'no'])
})

test('Ctrl+S downloads the current folder', async ({ page, served }) => {
  await served.write('docs/a.txt', 'a')
  await signIn(page, served)
  await row(page, 'docs').dblclick()
  await expect(row(page, 'a.txt')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+s')
  await expect(dialog(page, 'Download “docs”')).toBeVisible()
  const [name] = await downloaded(page, () => page.keyboard.press('Enter'))
  expect(name).toBe('docs.zip')
})

/** The name that the browser gives it, and where it put it. */
async function downloaded(page: Page, start: () => Promise<unknown>): Promise<[string, string]> {
  const coming = page.waitForEvent('download')
  await start()
  const download = await coming
  expect(new URL(download.url()).search).not.toContain('auth')
  return [download.suggestedFilename(), await download.path()]
}
