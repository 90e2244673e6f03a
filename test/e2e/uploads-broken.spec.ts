import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { dropFiles, throttle } from './drop.ts'
import { dialog, expectNames, row } from './listing.ts'
import { expect, signIn } from './served.ts'
import { expectUnderWay, MIB, staged, test, tray } from './uploads.ts'

test('a cancelled upload leaves no files', async ({ page, served, desktop }) => {
  await writeFile(join(desktop, 'big.bin'), new Uint8Array(20 * MIB))
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await throttle(page, 2 * MIB)
  await dropFiles(page, page.getByRole('main'), [join(desktop, 'big.bin')])
  await expectUnderWay(page)
  await expect(tray(page)).toContainText('/s')
  await expect(tray(page)).toContainText('left')
  await tray(page).getByRole('button', { name: 'Cancel upload' }).click()
  await expect(tray(page).getByText('Cancelled')).toBeVisible()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await expect.poll(() => staged(served.root)).toEqual([])
  expect(existsSync(join(served.root, 'big.bin'))).toBe(false)
})

test('a large upload resumes after the server is killed and restarted', async ({ page, served, desktop, complaints }) => {
  complaints.foresee(/net::ERR/)
  complaints.foresee(/status of (409|423)/)
  const big = join(desktop, 'big.bin')
  await writeFile(big, Buffer.from(Array.from({ length: 1024 }, (_, n) => n % 251)))
  await truncate(big, 20 * MIB)
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  const methods: string[] = []
  page.on('request', (request) => void (request.url().includes('/api/tus/') && methods.push(request.method())))
  await throttle(page, 3 * MIB)
  await dropFiles(page, page.getByRole('main'), [big])
  await expectUnderWay(page)
  await served.kill()
  expect(existsSync(join(served.root, 'big.bin'))).toBe(false)
  await served.start()
  await throttle(page, null)
  await expect(tray(page)).toContainText('1 upload complete', { timeout: 120_000 })
  expect(methods.filter((method) => method === 'POST').length).toBe(1)
  expect(readFileSync(join(served.root, 'big.bin')).equals(readFileSync(big))).toBe(true)
  await expectNames(page, ['big.bin'])
})

test('uploads continue while the user navigates, and leaving the page warns', async ({ page, served, desktop }) => {
  await served.write('docs/inside.txt', '')
  await writeFile(join(desktop, 'slow.txt'), 'slow')
  await signIn(page, served)
  await expect(row(page, 'docs')).toBeVisible()
  const held: Route[] = []
  await page.route(/\/api\/resources\/slow\.txt/, (route) => void held.push(route))
  await dropFiles(page, page.getByRole('navigation', { name: 'Path' }), [join(desktop, 'slow.txt')])
  await expect(tray(page).getByRole('progressbar')).toBeVisible()
  await row(page, 'docs').dblclick()
  await expect(row(page, 'inside.txt')).toBeVisible()
  await expect(tray(page).getByRole('progressbar')).toBeVisible()
  const warned = page.waitForEvent('dialog')
  void page.reload().catch(() => undefined)
  const warning = await warned
  expect(warning.type()).toBe('beforeunload')
  await warning.dismiss()
  for (const route of held) await route.continue()
  await expect(tray(page)).toContainText('1 upload complete')
  expect(readFileSync(join(served.root, 'slow.txt'), 'utf8')).toBe('slow')
})

test('an upload can be paused and resumed, and leaving the page while it is paused warns', async ({ page, served, desktop }) => {
  const big = join(desktop, 'big.bin')
  await writeFile(big, 'big')
  await truncate(big, 20 * MIB)
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await throttle(page, 3 * MIB)
  await dropFiles(page, page.getByRole('main'), [big])
  await expectUnderWay(page)
  await tray(page).getByRole('button', { name: 'Pause big.bin' }).click()
  await expect(tray(page).getByText(/^Paused at/)).toBeVisible()
  await expect(tray(page).getByRole('heading', { name: 'Paused, 0 of 1 uploaded' })).toBeVisible()
  const warned = page.waitForEvent('dialog')
  void page.reload().catch(() => undefined)
  await (await warned).dismiss()
  await throttle(page, null)
  await tray(page).getByRole('button', { name: 'Resume big.bin' }).click()
  await expect(tray(page)).toContainText('1 upload complete')
  expect(statSync(join(served.root, 'big.bin')).size).toBe(20 * MIB)
})

test('an upload interrupted by a reload resumes only when the same file is chosen again', async ({ page, served, desktop, complaints }) => {
  complaints.foresee(/net::ERR/)
  await mkdir(join(desktop, 'other'))
  await writeFile(join(desktop, 'other/big.bin'), 'another file of that name')
  await signIn(page, served)
  const big = await interruptUpload(page, desktop)
  await expect(tray(page).getByRole('heading', { name: '1 unfinished upload' })).toBeVisible({ timeout: 120_000 })
  await expectAccessible(page, 'an unfinished upload')
  const again = page.locator('[data-part=pick-again]')
  await again.setInputFiles(join(desktop, 'other/big.bin'))
  await expect(page.getByText('This is a different file')).toBeVisible()
  const offsets: number[] = []
  page.on('request', (request) => void (request.method() === 'PATCH' && offsets.push(Number(request.headers()['upload-offset']))))
  const choosing = page.waitForEvent('filechooser')
  await tray(page).getByRole('button', { name: 'Choose big.bin again to resume' }).press('Enter')
  await (await choosing).setFiles(big)
  await expect(tray(page)).toContainText('1 upload complete')
  expect(offsets[0]).toBeGreaterThan(0)
  expect(readFileSync(join(served.root, 'big.bin')).equals(readFileSync(big))).toBe(true)
  await page.reload()
  await expectNames(page, ['big.bin'])
  await expect(tray(page)).toHaveCount(0)
})

test('an upload interrupted by a reload resumes by itself if the browser keeps the file handle', async ({ page, served, complaints }) => {
  complaints.foresee(/net::ERR/)
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await throttle(page, 2 * MIB)
  await dropRememberedFolder(page, { folder: 'trip', file: 'big.bin', size: 20 * MIB })
  await expectUnderWay(page)
  // The browser keeps the way to the file beside the upload, which does not wait for it.
  await expect.poll(() => rememberedWays(page)).toBe(1)
  page.once('dialog', (warning) => void warning.accept())
  await page.reload()
  await throttle(page, null)
  const offsets: number[] = []
  page.on('request', (request) => void (request.method() === 'PATCH' && offsets.push(Number(request.headers()['upload-offset']))))
  let choosing = false
  page.on('filechooser', () => (choosing = true))
  await tray(page).getByRole('button', { name: 'Choose big.bin again to resume' }).click({ timeout: 120_000 })
  await expect(tray(page)).toContainText('1 upload complete')
  expect(choosing).toBe(false)
  expect(offsets[0]).toBeGreaterThan(0)
  expect(statSync(join(served.root, 'trip/big.bin')).size).toBe(20 * MIB)
  // Who signs out takes the ways along.
  expect(await rememberedWays(page)).toBe(1)
  await page.getByRole('button', { name: 'Account: admin' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/login/)
  await expect.poll(() => rememberedWays(page)).toBe(0)
})

test('an unfinished upload can be discarded', async ({ page, served, desktop, complaints }) => {
  complaints.foresee(/net::ERR/)
  await signIn(page, served)
  await interruptUpload(page, desktop)
  await tray(page).getByRole('button', { name: 'Discard big.bin' }).click({ timeout: 120_000 })
  await expect(tray(page)).toHaveCount(0)
  await expect.poll(() => staged(served.root)).toEqual([])
})

test('an interrupted upload resumes, and a rejected one can be retried', async ({ page, served, desktop, complaints }) => {
  complaints.foresee(/net::ERR|status of 507/)
  for (const name of ['cut.txt', 'full.txt']) await writeFile(join(desktop, name), name)
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  let cuts = 0
  await page.route(/cut\.txt/, (route) => (route.request().method() === 'POST' && ++cuts === 1 ? route.abort() : route.continue()))
  let isFull = true
  await page.route(/full\.txt/, (route) =>
    isFull && route.request().method() === 'POST'
      ? route.fulfill({ status: 507, contentType: 'application/json', body: '{"code":"storage-full","detail":{}}' })
      : route.continue(),
  )
  await dropFiles(page, page.getByRole('main'), [join(desktop, 'cut.txt'), join(desktop, 'full.txt')])
  await expect(tray(page)).toContainText('1 upload failed')
  await expect(tray(page).getByText('The server has run out of disk space.')).toBeVisible()
  await expectNames(page, ['cut.txt'])
  expect(existsSync(join(served.root, 'full.txt'))).toBe(false)
  await expect.poll(() => staged(served.root)).toEqual([])
  expect(cuts).toBe(2)
  isFull = false
  await tray(page).getByRole('button', { name: 'Try again' }).click()
  await expectNames(page, ['cut.txt', 'full.txt'])
})

test.describe('behind a proxy that refuses more than 1 MiB', () => {
  test.use({ behind: 'nginx that refuses' })

  test('files are sent in smaller chunks, the panel says so, and a connection lost during a request reduces the size further', async ({
    page,
    served,
    desktop,
    complaints,
  }) => {
    complaints.foresee(/status of (413|524)|net::ERR/)
    for (const [name, size] of Object.entries({ 'three.bin': 3 * MIB, 'nine.bin': 9 * MIB, 'slow.bin': 2 * MIB, 'cut.bin': 2 * MIB })) {
      await writeFile(join(desktop, name), Buffer.from(Array.from({ length: 1024 }, (_, n) => n % 251)))
      await truncate(join(desktop, name), size)
    }
    const arrived = (name: string) => readFileSync(join(served.root, name)).equals(readFileSync(join(desktop, name)))
    await signIn(page, served)
    await expect(page.getByText('This folder is empty')).toBeVisible()
    await dropFiles(page, page.getByRole('main'), [join(desktop, 'three.bin'), join(desktop, 'nine.bin')])
    await expect(tray(page)).toContainText('2 uploads complete')
    await expect(tray(page).getByRole('status').filter({ hasText: 'Your proxy limits uploads to 1.0 MB' })).toBeVisible()
    await expectAccessible(page, 'the upload panel with what a proxy lets pass')
    expect(arrived('three.bin') && arrived('nine.bin')).toBe(true)
    // Cloudflare, in front of a server that takes its time.
    await page.route(/slow\.bin/, (route) =>
      (route.request().postDataBuffer()?.length ?? 0) > 512 * 1024
        ? route.fulfill({ status: 524, body: '<html>524</html>' })
        : route.continue(),
    )
    await dropFiles(page, page.getByRole('main'), [join(desktop, 'slow.bin')])
    await expect(tray(page)).toContainText('3 uploads complete')
    await expect(tray(page)).toContainText('Your proxy limits uploads to 512 kB')
    expect(arrived('slow.bin')).toBe(true)
    // Another proxy on the way, that says nothing and hangs up.
    await page.route(/cut\.bin/, (route) =>
      (route.request().postDataBuffer()?.length ?? 0) > 256 * 1024 ? route.abort('connectionreset') : route.continue(),
    )
    await dropFiles(page, page.getByRole('main'), [join(desktop, 'cut.bin')])
    await expect(tray(page)).toContainText('4 uploads complete')
    await expect(tray(page)).toContainText('Your proxy limits uploads to 256 kB')
    expect(arrived('cut.bin')).toBe(true)
    await page.reload()
    await expectNames(page, ['cut.bin', 'nine.bin', 'slow.bin', 'three.bin'])
    const sent: number[] = []
    page.on('request', (request) => void (request.method() === 'PATCH' && sent.push(request.postDataBuffer()?.length ?? 0)))
    await dropFiles(page, page.getByRole('main'), [join(desktop, 'three.bin')])
    await dialog(page, '“three.bin” already exists').getByRole('radio', { name: 'Replace' }).check()
    await dialog(page, '“three.bin” already exists').getByRole('button', { name: 'Continue' }).click()
    await expect(tray(page)).toContainText('1 upload complete')
    expect(sent).toHaveLength(12)
    expect(Math.max(...sent)).toBeLessThanOrEqual(256 * 1024)
  })
})

/** Begins a large upload and reloads the page in its middle. By the button: the browser keeps no way to a file that was picked so. @returns the file */
async function interruptUpload(page: Page, desktop: string): Promise<string> {
  const big = join(desktop, 'big.bin')
  await writeFile(big, Buffer.from(Array.from({ length: 1024 }, (_, n) => n % 251)))
  await truncate(big, 20 * MIB)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await throttle(page, 6 * MIB)
  await page.locator('[data-part=pick-files]').first().setInputFiles(big)
  await expectUnderWay(page)
  page.once('dialog', (warning) => void warning.accept())
  await page.reload()
  await throttle(page, null)
  return big
}

/**
 * Drops a folder with a file that the browser can find again after a reload, which no test can drop from the machine itself: both lie in the
 * browser's own file system, whose handles are as good.
 */
async function dropRememberedFolder(page: Page, { folder, file, size }: { folder: string; file: string; size: number }): Promise<void> {
  await page.locator('[data-part=listing]').evaluate(
    async (listing, wanted) => {
      const root = await navigator.storage.getDirectory()
      const directory = await root.getDirectoryHandle(wanted.folder, { create: true })
      const handle = await directory.getFileHandle(wanted.file, { create: true })
      const writing = await handle.createWritable()
      await writing.write(new Uint8Array(wanted.size).fill(7))
      await writing.close()
      const held = await handle.getFile()
      const inside = { isFile: true, isDirectory: false, name: wanted.file, file: (take: (file: File) => void) => take(held) }
      const batches = [[inside], []]
      const entry = {
        isFile: false,
        isDirectory: true,
        name: wanted.folder,
        createReader: () => ({ readEntries: (take: (batch: unknown[]) => void) => take(batches.shift() ?? []) }),
      }
      Object.assign(DataTransferItem.prototype, { webkitGetAsEntry: () => entry, getAsFileSystemHandle: async () => directory })
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(held)
      for (const type of ['dragenter', 'dragover', 'drop'])
        listing.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
    },
    { folder, file, size },
  )
}

function rememberedWays(page: Page): Promise<number> {
  return page.evaluate(async () => {
    // Opening a database that is not there would make an empty one.
    const databases = await indexedDB.databases()
    if (!databases.some(({ name }) => name === 'satchel-uploads')) return 0
    return new Promise<number>((resolve, reject) => {
      const opening = indexedDB.open('satchel-uploads')
      opening.onerror = () => reject(opening.error ?? new Error('IndexedDB'))
      opening.onsuccess = () => {
        const counting = opening.result.transaction('handles').objectStore('handles').count()
        counting.onsuccess = () => {
          opening.result.close()
          resolve(counting.result)
        }
      }
    })
  })
}
