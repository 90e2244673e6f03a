import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { DOCTOR_HEADER, SeenRequest } from '../../../shared/doctor.ts'
import { endDoctorPass, issueDoctorPass } from '../../settings/doctor-pass.ts'
import type { Call, ServerSettings } from '../command.ts'
import { advice, fine, type Finding, problem, reasonOf } from './finding.ts'

const DAY_MS = 24 * 3600_000
const SOON_MS = 14 * DAY_MS
const PATIENCE_MS = 10_000
/** More than a proxy's usual limit for a body: 1 MiB with nginx. */
const BODY_BYTES = 3 * 1024 ** 2

/** The certificate and its key: readable, matching, not expired. */
export function tlsFindings({ cert, key }: ServerSettings, now: Date): Finding[] {
  const about = 'TLS'
  if (cert === null || key === null) return []
  try {
    const certificate = new X509Certificate(readFileSync(cert))
    const until = new Date(certificate.validTo)
    const renew = 'renew the certificate and start Satchel anew: it is read at start'
    const open = (statSync(key).mode & 0o077) !== 0
    return [
      ...(certificate.checkPrivateKey(createPrivateKey(readFileSync(key)))
        ? []
        : [problem(about, `${key} is not the key of ${cert}`, 'name the pair that belongs together')]),
      ...(open ? [advice(about, `${key} can be read by other accounts`, `chmod 600 ${key}`)] : []),
      until < now
        ? problem(about, `${cert} ended on ${until.toISOString()}`, renew)
        : new Date(certificate.validFrom) > now
          ? problem(about, `${cert} begins on ${new Date(certificate.validFrom).toISOString()}`, 'check the clock')
          : until.getTime() - now.getTime() < SOON_MS
            ? advice(about, `${cert} ends on ${until.toISOString()}`, renew)
            : fine(about, `${cert} is good until ${until.toISOString()}`),
    ]
  } catch (error) {
    return [problem(about, `${cert} and ${key}: ${reasonOf(error)}`, 'name readable PEM files with --cert and --key')]
  }
}

/** Which forwarding headers are trusted, as far as the settings say. */
export function* listenFindings({ address, socket, cert, trustedProxies, metricsAddress }: ServerSettings): Generator<Finding> {
  const about = 'network'
  const isLocal = socket !== null || isLoopback(address)
  const everybody = trustedProxies.filter((network) => network.endsWith('/0')).join(',')
  if (everybody !== '') {
    const text = `--trustedProxies ${everybody} believes everybody: anybody could choose their address`
    yield problem(about, text, 'name the proxy only')
  }
  if (!isLocal && cert === null && trustedProxies.length === 0) {
    const text = `passwords reach ${address === '' ? 'all addresses' : address} without TLS`
    yield advice(about, text, 'listen on 127.0.0.1 behind a proxy, or give --cert and --key')
  }
  if (metricsAddress !== null && !isLoopback(metricsAddress.host)) {
    const text = `/metrics is open to everybody who reaches ${metricsAddress.host}: there is no password and no TLS`
    yield advice(about, text, '--metricsAddress 127.0.0.1:9090, or a network of its own')
  }
  if (socket !== null && !trustedProxies.includes('unix')) {
    const text = 'the socket is not among --trustedProxies: the addresses of clients are unknown, and all count as one'
    yield advice(about, text, 'add --trustedProxies unix')
  }
  const trusted = `forwarding headers are believed from ${trustedProxies.join(', ')}`
  yield fine(about, trustedProxies.length === 0 ? 'no proxy is trusted: forwarding headers are dropped' : trusted)
}

/** Asks the running server, through any proxy in front of it, what a request looks like when it arrives. */
export async function proxyFindings(call: Call, address: string, now: Date): Promise<Finding[]> {
  const about = 'proxy'
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    return [problem(about, `${address} is no address`, 'give what people type: --url https://files.example.org/')]
  const { db } = await call.openAdmin()
  const secret = await issueDoctorPass(db, now)
  const ask = (init: RequestInit = {}): Promise<Response> =>
    fetch(`${address.replace(/\/+$/, '')}/health`, {
      ...init,
      headers: { [DOCTOR_HEADER]: secret },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  try {
    const seen = await readSeen(await ask())
    if (seen === null)
      return [problem(about, `${address} is answered, but not by this Satchel`, 'check the address and where the proxy passes it')]
    const { status } = await ask({ method: 'POST', body: new Uint8Array(BODY_BYTES) })
    return [
      ...seenFindings(seen, new URL(address)),
      status === 200
        ? fine(about, 'large bodies pass')
        : problem(about, `a body of 3 MiB is refused with ${status}`, 'lift the limit of the proxy (nginx: client_max_body_size 0)'),
    ]
  } catch (error) {
    return [
      problem(about, `${address} does not answer: ${reasonOf(error)}`, 'is the server running, and does this machine reach that address?'),
    ]
  } finally {
    await endDoctorPass(db)
  }
}

/** What is wrong with a request to `address` as the server saw it. */
export function seenFindings({ address, secure, trusted, host, forwarded }: SeenRequest, { protocol, host: wanted }: URL): Finding[] {
  const about = 'proxy'
  const from = address ?? 'the unix socket'
  const isTold = protocol !== 'https:' || secure
  if (!trusted) {
    const add = `add --trustedProxies ${address ?? 'unix'}`
    return isTold
      ? [advice(about, `the request came from ${from}, who is no trusted proxy`, `fine without a proxy; if that is one, ${add}`)]
      : [problem(about, `the proxy at ${from} is not trusted, and what it forwards is dropped`, add)]
  }
  const client = forwarded['x-forwarded-for']
  const noClient = 'the proxy sends no X-Forwarded-For: all people count as one address'
  const noScheme = 'the proxy does not say that people come by https, so cookies go without Secure'
  return [
    client === undefined
      ? problem(about, noClient, 'nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;')
      : fine(about, `X-Forwarded-For: ${client}; the client counts as ${from}`),
    isTold
      ? fine(about, `the connection counts as ${secure ? 'TLS' : 'plain'}`)
      : problem(about, noScheme, 'nginx: proxy_set_header X-Forwarded-Proto $scheme;'),
    ...hostFindings([host, forwarded['x-forwarded-host']], { protocol, host: wanted }),
  ]
}

function isLoopback(host: string): boolean {
  return /^(127\.|::1$|localhost$)/.test(host)
}

/** If a browser does not send the origin of a page, over plain HTTP, the Host header must be that of the page. */
function hostFindings(hosts: readonly (string | undefined)[], { protocol, host }: { protocol: string; host: string }): Finding[] {
  const about = 'proxy'
  if (hosts.includes(host)) return [fine(about, `Host: ${host}`)]
  const text = `the proxy sends Host: ${hosts[0] ?? ''} instead of ${host}`
  const todo = 'nginx: proxy_set_header Host $http_host;'
  return [protocol === 'http:' ? problem(about, `${text}, so signing in is refused`, todo) : advice(about, text, todo)]
}

async function readSeen(response: Response): Promise<SeenRequest | null> {
  try {
    const body: unknown = await response.json()
    const request = typeof body === 'object' && body !== null && 'request' in body ? body.request : null
    return SeenRequest.safeParse(request).data ?? null
  } catch {
    return null
  }
}
