import { Factors, type PasskeyCreation } from '../../src/shared/contract/factors.ts'
import type { PasskeyRequest } from '../../src/shared/contract/second-proof.ts'
import { totpCode } from '../../src/server/factors/totp.ts'
import type { Authenticator } from './authenticator.ts'
import { PASSWORD, type Product } from './world.ts'

export const ORIGIN = 'https://files.example.org'

/** What the calls of these tests answer, each a part of it. */
export interface Body {
  readonly detail: { readonly ticket: string; readonly ways: readonly string[] }
  readonly secret: string
  readonly ticket: string
  /** Absent where the account had some. */
  readonly recoveryCodes: string[]
  readonly options: PasskeyCreation & PasskeyRequest
  readonly entries: readonly object[]
}

/** An answer that was read. */
export interface Told {
  readonly status: number
  readonly code: string
  readonly text: string
  readonly cookies: readonly string[]
  /** The body, as what the test expects it to be. */
  readonly json: () => Body
}

/** Calls of second factors as a browser makes them. */
export function createCalls(product: Product) {
  async function send(
    address: string,
    body: object | null,
    { token, web = false, cookie, method = 'POST', peer }: SendOptions = {},
  ): Promise<Told> {
    const headers = new Headers({ accept: 'application/json', origin: ORIGIN, 'sec-fetch-site': 'same-origin' })
    if (token !== undefined) headers.set('x-auth', token)
    if (web) headers.set('x-satchel-web', '1')
    if (cookie !== undefined) headers.set('cookie', cookie)
    const init = { method, headers, ...(body !== null && { body: JSON.stringify(body) }), ...(peer !== undefined && { from: { peer } }) }
    const answer = await product.ask(address, init)
    const text = await answer.text()
    const json = (): Body => JSON.parse(text) as Body
    return { status: answer.status, code: codeIn(text), text, cookies: answer.headers.getSetCookie(), json }
  }

  const login = (who: string, options: SendOptions & { password?: string } = {}) =>
    send('/api/login', { username: who, password: options.password ?? PASSWORD }, options)

  /** The ticket of a sign-in with the right password. */
  async function ticketOf(who: string, options: SendOptions = {}): Promise<string> {
    const { json } = await login(who, options)
    return json().detail.ticket
  }

  return {
    send,
    login,
    ticketOf,
    second: (body: object, options: SendOptions = {}) => send('/api/login/second', body, options),
    list: async (token: string): Promise<Factors> => Factors.parse((await send('/api/factors', null, { token, method: 'GET' })).json()),

    /** Sets up an authenticator app. The step of its first code is over afterwards. */
    async setUpTotp(token: string): Promise<{ codes: string[]; code: () => string }> {
      const { secret } = (await send('/api/factors/totp', null, { token })).json()
      const code = (): string => totpCode(secret, product.world.clock().getTime())
      const { recoveryCodes }: { recoveryCodes?: string[] } = (await send('/api/factors/totp/confirm', { code: code() }, { token })).json()
      product.pass(60_000)
      return { codes: recoveryCodes ?? [], code }
    },

    async addPasskey(token: string, authenticator: Authenticator, origin = ORIGIN): Promise<Told> {
      const { ticket, options } = (await send('/api/factors/passkeys/challenge', null, { token })).json()
      return send('/api/factors/passkeys', { ticket, name: 'Key', passkey: authenticator.create(options, { origin }) }, { token })
    },

    async passkeyChallenge(address: string, body: object | null, options: SendOptions = {}) {
      return (await send(address, body, options)).json()
    },
  }
}

interface SendOptions {
  readonly token?: string
  readonly web?: boolean
  readonly cookie?: string
  readonly method?: string
  readonly peer?: string
}

function codeIn(text: string): string {
  try {
    return (JSON.parse(text) as { code?: string }).code ?? ''
  } catch {
    return ''
  }
}
