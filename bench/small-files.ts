import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { sized } from './figures.ts'
import { holds, median, runBench, type Server, startServer } from './harness.ts'

/**
 * Many small files from one pick in the real web, in Chromium: files a second against a bare loop of five parallel XMLHttpRequests on a server
 * that only writes and fsyncs, in the same browser and run; and how long the page was ever deaf meanwhile.
 */
const ROUNDS = 3
const FILES = Number(process.env.FILES ?? sized(10_000, 100))
const LEAST_SPEED_RATIO = 0.5
const LONGEST_DEAF_MS = 200

await runBench({ rounds: ROUNDS }, async (run, rounds) => {
  const server = await startServer(run)
  const bare = startBare(join(run.folder, 'bare'))
  const source = join(run.folder, 'source')
  mkdirSync(source)
  for (let n = 0; n < FILES; n++) await Bun.write(join(source, `${n}.txt`), `small file ${n}`)
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
  const ours: number[] = []
  const theirs: number[] = []
  const deaf: number[] = []
  for (let round = 0; round < rounds; round++) {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${bare.port}/`)
    theirs.push(FILES / (await bareLoop(page)))
    await page.close()
    const web = await signedIn(await browser.newContext().then((context) => context.newPage()), server, `round-${round}`)
    const { seconds, deafMs } = await webUpload(web, source)
    ours.push(FILES / seconds)
    deaf.push(deafMs)
    await web.context().close()
  }
  await browser.close()
  await bare.stop(true)
  console.log(`bare  files/s ${theirs.map((value) => value.toFixed(0)).join(' ')}`)
  console.log(
    `web   files/s ${ours.map((value) => value.toFixed(0)).join(' ')} | deaf ms ${deaf.map((value) => value.toFixed(0)).join(' ')}`,
  )
  const seen = { ours: `${median(ours).toFixed(0)} files/s`, reference: `bare loop ${median(theirs).toFixed(0)} files/s` }
  return [
    holds(`${FILES} small files: speed × bare loop`, median(ours) / median(theirs), { atLeast: LEAST_SPEED_RATIO }, seen),
    holds('longest task of the page, ms', median(deaf), { atMost: LONGEST_DEAF_MS }),
  ].every(Boolean)
})

/** Only what cannot be left out: each file is written and on the disk before its answer. */
function startBare(folder: string) {
  mkdirSync(folder)
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (request.method !== 'POST') return new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
      const bytes = new Uint8Array(await request.arrayBuffer())
      const file = openSync(join(folder, new URL(request.url).pathname.slice(1)), 'w')
      writeSync(file, bytes)
      fsyncSync(file)
      closeSync(file)
      return new Response()
    },
  })
}

/** Text, because a benchmark's types know no browser. @returns seconds */
function bareLoop(page: Page): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const start = performance.now()
    let next = 0
    const one = (n) => new Promise((resolve, reject) => {
      const xhr = new XMLHttpRequest()
      xhr.open('POST', '/' + n + '.txt')
      xhr.addEventListener('load', resolve)
      xhr.addEventListener('error', reject)
      xhr.send(new File(['small file ' + n], n + '.txt'))
    })
    const lane = async () => {
      while (next < ${FILES}) await one(next++)
    }
    await Promise.all(Array.from({ length: 5 }, lane))
    return (performance.now() - start) / 1000
  })()`)
}

/** The web on an empty folder of its own. */
async function signedIn(page: Page, { root, url }: Server, folder: string): Promise<Page> {
  mkdirSync(join(root, folder))
  await page.goto(`${url}/files/${folder}/`)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill('a long word for a benchmark')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This folder is empty').waitFor()
  return page
}

async function webUpload(page: Page, source: string): Promise<{ seconds: number; deafMs: number }> {
  // The browser makes thousands of files out of a pick in one task of its own, half a millisecond each, at whose end it tells of them: the page's
  // own time begins there.
  await page.evaluate(`
    globalThis.longestMs = 0
    let toldAt = Infinity
    addEventListener('change', () => (toldAt = Math.min(toldAt, performance.now())), true)
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        globalThis.longestMs = Math.max(globalThis.longestMs, startTime + duration - Math.max(startTime, toldAt))
    }).observe({ entryTypes: ['longtask'] })
  `)
  const start = performance.now()
  await page.locator('[data-part=pick-folder]').first().setInputFiles(source)
  await page.getByText(`${FILES.toLocaleString('en')} uploads complete`).waitFor({ timeout: 600_000 })
  const seconds = (performance.now() - start) / 1000
  const deafMs = await page.evaluate<number>('globalThis.longestMs')
  return { seconds, deafMs }
}
