import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test as plain, type BrowserContext, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { createHost, type Host } from './host.ts'
import { rememberNotices } from './notices.ts'
import { type Behind } from './proxy.ts'
import { makeAccounts, makePeople, PASSWORD, type People, type Served, withServer } from './server.ts'

export { expect, PASSWORD, type Served }

/** What a browser complains about; a walk that meets any complaint it did not foresee has failed. */
export interface Complaints {
  /** This one belongs to the walk, for example the status of a refused sign-in. */
  foresee(complaint: RegExp): void
}

/** What a walk, or a project of them, may ask for. */
export interface WalkOptions {
  /** What an administrator decided before the start: `test.use({ settings: … })`. */
  settings: Record<string, unknown> | undefined
  /** What stands between the browser and the server. */
  behind: Behind
}

/** So that no sign-in is ever too old to be the proof that sensitive changes ask for. */
const SIGN_IN_KEPT_MS = 3 * 60_000

interface Fixtures extends WalkOptions {
  /** Flags of the walk's server; set with `test.use`. */
  serverOptions: readonly string[]
  served: Served
  complaints: Complaints & { watch(context: BrowserContext): Promise<void>; end(): void }
  /** A page in another browser: nothing is shared with the first. */
  elsewhere: (options?: BrowserContextOptions) => Promise<Page>
}

interface WorkerFixtures {
  /** Where the servers of this worker's walks run, one after another. */
  host: Host
  people: () => Promise<People>
}

export const test = plain.extend<Fixtures, WorkerFixtures>({
  host: [
    async ({}, use) => {
      await using host = createHost()
      await use(host)
    },
    { scope: 'worker' },
  ],

  people: [
    async ({ host }, use) => {
      const accounts = await makeAccounts()
      const made: People[] = []
      let madeAt = -Infinity
      await use(async () => {
        if (performance.now() - madeAt > SIGN_IN_KEPT_MS) {
          made.push(await makePeople(host, accounts))
          madeAt = performance.now()
        }
        return made.at(-1) as People
      })
      for (const { file } of made) await rm(dirname(dirname(file)), { recursive: true })
      await rm(dirname(accounts), { recursive: true })
    },
    { scope: 'worker' },
  ],

  settings: [undefined, { option: true }],
  behind: ['nothing', { option: true }],

  serverOptions: [[], { option: true }],

  served: async ({ host, people, settings, behind, serverOptions, complaints }, use) =>
    withServer({ host, people: await people(), settings, behind, options: serverOptions }, async (served) => {
      await use(served)
      // What a page says about a server that is gone is no complaint.
      complaints.end()
    }),

  complaints: [
    async ({ context }, use) => {
      const foreseen: RegExp[] = []
      const heard: string[] = []
      let ended = false
      const watch = async (watched: BrowserContext) => {
        // Requests that are pending at sign-out are refused.
        watched.on('request', (request) => void (request.url().endsWith('/api/logout') && foreseen.push(/status of 401 /)))
        await listen(watched, (complaint) => !ended && heard.push(complaint))
        await rememberNotices(watched)
      }
      await watch(context)
      await use({ watch, foresee: (complaint) => void foreseen.push(complaint), end: () => (ended = true) })
      expect(heard.filter((complaint) => !foreseen.some((one) => one.test(complaint)))).toEqual([])
    },
    { auto: true },
  ],

  elsewhere: async ({ browser, contextOptions, complaints }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext({ ...contextOptions, ...options })
      contexts.push(context)
      await complaints.watch(context)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },
})

/**
 * Somebody who is signed in goes to a place. The administrator has signed in before, once for each server; everybody else, and a second
 * browser, does it by the form.
 */
export async function signIn(page: Page, served: Served, path = '/files/', username = 'admin'): Promise<void> {
  const session = username === 'admin' ? served.takeSession() : null
  if (session === null) return signInByForm(page, served, path, username)
  await page.context().addCookies([{ ...session.cookie, url: served.url, httpOnly: true, sameSite: 'Lax' }])
  // An empty page of the same origin: the token has to be there before the first script asks for it.
  const before = `${served.url}/before`
  await page.route(before, (route) => route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }), { times: 1 })
  await page.goto(before)
  await page.evaluate((token) => localStorage.setItem('jwt', token), session.token)
  await page.goto(served.url + path)
  await page.waitForURL((address) => address.pathname.startsWith(`${served.base}/files`))
}

/** Signs in through the login screen and waits for the place one wanted to go to. */
export async function signInByForm(page: Page, { url, base }: Served, path = '/files/', username = 'admin'): Promise<void> {
  await page.goto(url + path)
  // Found by what they are for, whatever the language.
  await page.locator('input[autocomplete=username]').fill(username)
  await page.locator('input[autocomplete=current-password]').fill(PASSWORD)
  await page.locator('form button[type=submit]').click()
  await page.waitForURL((address) => address.pathname.startsWith(`${base}/files`))
}

/** Errors of scripts and of the console, and everything the page's policy forbade. */
async function listen(context: BrowserContext, hear: (complaint: string) => void): Promise<void> {
  context.on('weberror', (error) => hear(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error') hear(`${message.text()} (${message.location().url})`)
  })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`The policy forbade ${violatedDirective}: ${blockedURI}`),
    )
  })
}
