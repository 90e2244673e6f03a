import { afterAll, beforeAll, expect, it } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { post } from './post.ts'
import { RUNTIME_COMMAND } from '../entries/runtime.ts'

const home = mkdtempSync(join(tmpdir(), 'satchel-post-'))
let server: Bun.Server<undefined>
beforeAll(() => {
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    '/CN=hook.test',
    '-days',
    '2',
  ]
  const files = ['-keyout', join(home, 'key.pem'), '-out', join(home, 'cert.pem'), '-addext', 'subjectAltName=DNS:hook.test']
  execFileSync('openssl', [...args, ...files], { stdio: 'ignore' })
  const tls = { cert: Bun.file(join(home, 'cert.pem')), key: Bun.file(join(home, 'key.pem')) }
  server = Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch: () => new Response('heard') })
})
afterAll(async () => {
  await server.stop(true)
  rmSync(home, { recursive: true })
})

it('sends nothing to a server without a valid certificate (CVE-2024-41255)', async () => {
  const to = { address: '127.0.0.1', port: server.port ?? 0, tls: true, path: '/' }
  const request = { headers: {}, body: 'secret', signal: AbortSignal.timeout(5000) }
  for (const hostname of ['hook.test', 'other.test', '127.0.0.1'])
    await expect(post({ ...to, hostname, host: hostname }, request)).rejects.toThrow('self signed')
})

it('sends to a server with a trusted certificate, and to no other name (CVE-2024-41255)', () => {
  const said = ['hook.test', 'other.test'].map((hostname) => {
    const target = { address: '127.0.0.1', port: server.port, tls: true, path: '/', hostname, host: hostname }
    const script = `import { post } from ${JSON.stringify(join(import.meta.dir, 'post.ts'))}
      post(${JSON.stringify(target)}, { headers: {}, body: '', signal: AbortSignal.timeout(5000) }).then(console.log, (error) => console.log(error.code))`
    return asking(script)
  })
  return expect(Promise.all(said)).resolves.toEqual(['200', 'ERR_TLS_CERT_ALTNAME_INVALID'])
})

/** In a process of its own, which reads at its start whom it trusts. */
async function asking(script: string): Promise<string> {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(home, 'cert.pem') }
  const child = Bun.spawn([...RUNTIME_COMMAND, '-e', script], { env, stdout: 'pipe', stderr: 'inherit' })
  return (await child.stdout.text()).trim()
}
