import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'

/** What the signature is for: nobody can present it as one of a commit or a mail. */
export const NAMESPACE = 'satchel-release'
export const IDENTITY = 'releases@satchel'

/** Signs a file with an SSH key; `ssh-keygen -Y verify` checks it (docs/install.md). Throws what `ssh-keygen` says. @returns the file of the signature */
export function sign(file: string, key: string): string {
  const signature = `${file}.sig`
  rmSync(signature, { force: true })
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', NAMESPACE, file], { stdio: ['inherit', 'ignore', 'pipe'] })
  return signature
}

/** Writes the list of keys whose signatures count, for `ssh-keygen -Y verify`. @param key the private key, or the public one of a key in an agent */
export function writeAllowedSigners(file: string, key: string): void {
  const [type = '', publicKey = ''] = execFileSync('ssh-keygen', ['-y', '-f', key], { encoding: 'utf8' }).trim().split(' ')
  writeFileSync(file, `${IDENTITY} namespaces="${NAMESPACE}" ${type} ${publicKey}\n`)
}
