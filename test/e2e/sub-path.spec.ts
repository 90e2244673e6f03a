import { pickFiles, row, tile, pick } from './listing.ts'
import { PNG } from './samples.ts'
import { expect, signIn, test } from './served.ts'

test('all requests of the page stay below the base URL', async ({ page, served }) => {
  const astray: string[] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin === new URL(served.url).origin && !pathname.startsWith(`${served.base}/`)) astray.push(pathname)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) astray.push(`${response.status()} ${response.url()}`)
  })
  await served.write('docs/photo.png', PNG)
  await served.write('docs/code.ts', 'let a = 1')
  await signIn(page, served)
  await row(page, 'docs').dblclick()
  await expect(page).toHaveURL(`${served.url}/files/docs/`)
  await expect(row(page, 'code.ts')).toBeVisible()
  await pick(page, 'Mosaic')
  await tile(page, 'photo.png').dblclick()
  await expect(page.getByRole('img', { name: 'photo.png' })).toBeVisible()
  await page.goto(`${served.url}/files/docs/code.ts`)
  await expect(page.getByRole('textbox', { name: 'code.ts' })).toContainText('let a')
  const cookies = await page.context().cookies()
  expect(cookies.map(({ path }) => path)).toEqual([served.base === '' ? '/' : served.base])
  const manifest = await page.request.get(`${served.url}/manifest.webmanifest`)
  expect(await manifest.json()).toMatchObject({ start_url: `${served.base}/`, scope: `${served.base}/` })
  expect((await page.request.get(`${served.url}/sw.js`)).headers()['content-type']).toContain('text/javascript')
  expect(astray).toEqual([])
})

test('small and large files can be uploaded, downloaded and are listed after a reload', async ({ page, served }) => {
  await signIn(page, served)
  await expect(page.getByText('This folder is empty')).toBeVisible()
  const large = Buffer.alloc(9 * 1024 * 1024, 'satchel')
  // Above 8 MiB it takes the way of tus, whose Location has to come back through the proxy.
  const created = page.waitForResponse((response) => response.url().includes('/api/tus/') && response.status() === 201)
  await pickFiles(page, [
    { name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('small') },
    { name: 'large.bin', mimeType: 'application/octet-stream', buffer: large },
  ])
  expect((await created).headers()['location']).toMatch(new RegExp(`^(${served.url})?${served.base}/api/tus/large\\.bin`))
  await expect(row(page, 'large.bin')).toBeVisible()
  await page.reload()
  await expect(row(page, 'small.txt')).toBeVisible()
  const back = await page.request.get(`${served.url}/api/raw/large.bin`)
  expect((await back.body()).equals(large)).toBe(true)
})

test('an unknown address below the base URL redirects to the files, and the home link stays below it', async ({
  page,
  served,
  complaints,
}) => {
  complaints.foresee(/status of 404/)
  await signIn(page, served)
  await page.goto(`${served.url}/nowhere`)
  await expect(page).toHaveURL(new RegExp(`^${served.url}/files/nowhere/?$`))
  await page.getByRole('link', { name: 'Go to my files' }).click()
  await expect(page).toHaveURL(`${served.url}/files/`)
})
