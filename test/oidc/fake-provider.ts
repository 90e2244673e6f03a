import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose'

export const CLIENT_ID = 'satchel'

/** What the provider does wrong; the default is an answer that is right. */
export interface Misbehaviour {
  /** Changes the claims of the ID token. */
  claims?: (claims: Record<string, unknown>) => Record<string, unknown>
  /** How the ID token is signed: right, not at all, by a shared key that is the public one, or by a key of somebody else. */
  signature?: 'right' | 'none' | 'public-key' | 'foreign'
  /** Changes the description of itself. */
  metadata?: (metadata: Record<string, unknown>) => Record<string, unknown>
  /** Instead of the answer to any request; null for the usual one. */
  answer?: (request: IncomingMessage, response: ServerResponse) => boolean
}

export interface FakeProvider extends AsyncDisposable {
  readonly issuer: string
  wrong: Misbehaviour
  /** Requests to the token endpoint. */
  readonly exchanges: URLSearchParams[]
  /** Somebody signs in at this authorization address. @returns the address of the callback */
  authorize(address: string, person: Record<string, unknown>, change?: (answer: URLSearchParams) => void): string
  logoutToken(claims: Record<string, unknown>, options?: { typ?: string; signature?: Misbehaviour['signature'] }): Promise<string>
}

const DISCOVERY = '/.well-known/openid-configuration'

/** A provider that can be told to do any of the things that must not work. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const [own, foreign] = [await generateKeyPair('RS256', { extractable: true }), await generateKeyPair('RS256')]
  const publicKey = await exportSPKI(own.publicKey)
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, { nonce: string; challenge: string; person: Record<string, unknown> }>()
  const exchanges: URLSearchParams[] = []
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let count = 0

  async function sign(
    claims: Record<string, unknown>,
    { typ = 'JWT', signature = 'right' }: { typ?: string; signature?: Misbehaviour['signature'] } = {},
  ): Promise<string> {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    if (signature === 'none') return `${encode({ alg: 'none', typ })}.${encode(claims)}.`
    if (signature === 'public-key') {
      const text = `${encode({ alg: 'HS256', typ, kid: 'one' })}.${encode(claims)}`
      return `${text}.${createHmac('sha256', publicKey).update(text).digest('base64url')}`
    }
    const key = signature === 'foreign' ? foreign.privateKey : own.privateKey
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', typ }).sign(key)
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (provider.wrong.answer?.(request, response) === true) return
    const { pathname } = new URL(request.url ?? '/', issuer)
    const json = (body: unknown, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (pathname === DISCOVERY) return json((provider.wrong.metadata ?? ((same) => same))(describe(issuer)))
    if (pathname === '/jwks') return json({ keys: [jwk] })
    if (pathname !== '/token') return json({}, 404)
    const form = new URLSearchParams(await textOf(request))
    exchanges.push(form)
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (code === undefined) return json({ error: 'invalid_grant' }, 400)
    const challenge = new Bun.CryptoHasher('sha256').update(form.get('code_verifier') ?? '').digest('base64url')
    if (challenge !== code.challenge) return json({ error: 'invalid_grant', error_description: 'PKCE' }, 400)
    const now = Math.floor(Date.now() / 1000)
    // Valid for longer than a test lets pass: the clock of a program that is asked over HTTP goes ahead of this one.
    const claims = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 3600, nonce: code.nonce, ...code.person }
    const id_token = await sign((provider.wrong.claims ?? ((same) => same))(claims), { signature: provider.wrong.signature })
    json({ access_token: 'access', token_type: 'Bearer', id_token })
  }

  const provider: FakeProvider = {
    issuer,
    wrong: {},
    exchanges,
    authorize(address, person, change = () => {}) {
      const asked = new URL(address).searchParams
      const code = `code-${(count += 1)}`
      codes.set(code, { nonce: asked.get('nonce') ?? '', challenge: asked.get('code_challenge') ?? '', person })
      const answer = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: issuer })
      change(answer)
      return `${asked.get('redirect_uri')}?${answer.toString()}`
    },
    logoutToken(claims, options) {
      const now = Math.floor(Date.now() / 1000)
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      const all = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 120, jti: `jti-${(count += 1)}`, events, ...claims }
      return sign(JSON.parse(JSON.stringify(all)) as Record<string, unknown>, { typ: 'logout+jwt', ...options })
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}

function describe(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    end_session_endpoint: `${issuer}/end`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    // As an attacker would want it.
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    authorization_response_iss_parameter_supported: true,
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += String(part)
  return text
}
