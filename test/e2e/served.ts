import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'

/** A server of its own for one walk: a real process on the built web, over a folder that the walk may fill. */
export interface Served {
  readonly url: string
  readonly root: string
  /** A file under the served root, with its folders. */
  write(path: string, content: string | Uint8Array): Promise<string>
}

export const PASSWORD = 'correct horse battery'

export const test = base.extend<{ served: Served }>({
  served: async ({}, use) => {
    const home = await mkdtemp(join(tmpdir(), 'satchel-e2e-'))
    const root = join(home, 'files')
    await mkdir(root)
    await writeFile(join(home, 'password'), PASSWORD)
    const args = [
      'src/server/main.ts',
      '--root',
      root,
      '--data',
      join(home, 'data'),
      '--port',
      '0',
      '--username',
      'admin',
      '--password-file',
      join(home, 'password'),
    ]
    const server = spawn('node_modules/.bin/bun', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      await use({ url: await addressOf(server), root, write: (path, content) => put(join(root, path), content) })
    } finally {
      server.kill('SIGKILL')
      await rm(home, { recursive: true, force: true })
    }
  },
})

export { expect }

/** Signs in through the login screen and waits for the listing. */
export async function signIn(page: Page, { url }: Served, path = '/files/'): Promise<void> {
  await page.goto(url + path)
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((address) => address.pathname.startsWith('/files'))
}

/** The server prints its address once it listens. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    server.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const address = /http:\/\/[\w.:[\]]+/.exec(printed)?.[0]
      if (address !== undefined) resolve(address)
    })
    server.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened:\n${printed}`)))
  })
}

async function put(path: string, content: string | Uint8Array): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}
