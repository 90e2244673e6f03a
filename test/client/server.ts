import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestInstall } from '../cli/satchel.ts'

export const PASSWORD = 'correct horse battery'

export interface ClientServer extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string
  /** Of the user ann. */
  readonly token: string
  readonly home: string
  /** What is served. */
  readonly files: string
  /** Of ann, for one folder. @param rights separated by commas */
  makeToken(folder: string, rights: string): Promise<string>
}

/** A real server on a port of its own, with an account and a token. */
export async function startClientServer(): Promise<ClientServer> {
  const install = await createTestInstall()
  await mkdir(join(install.home, 'files'), { recursive: true })
  for (const args of [
    ['config', 'init'],
    ['users', 'add', 'ann', PASSWORD],
  ]) {
    const { code, complaints } = await install.satchel(args)
    if (code !== 0) throw new Error(complaints)
  }
  async function makeToken(folder: string, rights: string): Promise<string> {
    const made = await install.satchel(['tokens', 'add', 'ann', 'script', '--rights', rights, '--folder', folder])
    if (made.code !== 0) throw new Error(made.complaints)
    return made.out.trim()
  }
  const token = await makeToken('/', 'create,delete,download,modify,rename,share')
  const served = await install.serve(['--root', join(install.home, 'files')])
  return {
    url: served.url.replace(/\/$/, ''),
    token,
    makeToken,
    home: install.home,
    files: join(install.home, 'files'),
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await rm(install.home, { recursive: true, force: true })
    },
  }
}
