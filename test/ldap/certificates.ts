import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Certificates {
  /** Paths. */
  readonly cert: string
  readonly key: string
  readonly authority: string
  /** The authority as PEM. */
  readonly ca: string
}

/** A certificate of an authority of one's own, in a folder, for these names and addresses. */
export function makeCertificates(folder: string, { names = 'DNS:localhost,IP:127.0.0.1' }: { names?: string } = {}): Certificates {
  const at = (name: string): string => join(folder, name)
  const openssl = (...args: string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`)
  }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-days', '2', '-subj', '/CN=Test authority')
  openssl('req', ...key, '-keyout', at('server.key'), '-out', at('server.csr'), '-subj', '/CN=directory')
  writeFileSync(at('names'), `subjectAltName=${names}\n`)
  const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-extfile', at('names'), '-days', '2']
  openssl('x509', '-req', '-in', at('server.csr'), ...signed, '-out', at('server.pem'))
  return { cert: at('server.pem'), key: at('server.key'), authority: at('ca.pem'), ca: readFileSync(at('ca.pem'), 'utf8') }
}
