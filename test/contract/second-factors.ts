import { Factors } from '../../src/shared/contract/factors.ts'
import { totpCode } from '../../src/server/factors/totp.ts'
import type { Authenticator } from './authenticator.ts'
import { PASSWORD, type Product } from './world.ts'

export const ORIGIN = 'https://files.example.org'

/** An answer that was read. */
export interface Told {
  readonly status: number
  readonly code: string
  readonly text: string
  readonly cookies: readonly string[]
  /** The body, as what the test expects it to be. */
  readonly json: <T>() => T
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
    const json = <T>(): T => JSON.parse(text) as T
    return { status: answer.status, code: codeIn(text), text, cookies: answer.headers.getSetCookie(), json }
  }

  const login = (who: string, options: SendOptions & { password?: string } = {}) =>
    send('/api/login', { username: who, password: options.password ?? PASSWORD }, options)

  /** The ticket of a sign-in with the right password. */
  async function ticketOf(who: string, options: SendOptions = {}): Promise<string> {
    const { json } = await login(who, options)
    return json<{ detail: { ticket: string } }>().detail.ticket
  }

  return {
    send,
    login,
    ticketOf,
    second: (body: object, options: SendOptions = {}) => send('/api/login/second', body, options),
    list: async (token: string): Promise<Factors> => Factors.parse((await send('/api/factors', null, { token, method: 'GET' })).json()),

    /** Sets up an authenticator app. The step of its first code is over afterwards. */
    async setUpTotp(token: string): Promise<{ codes: string[]; code: () => string }> {
      const { secret } = (await send('/api/factors/totp', null, { token })).json<{ secret: string }>()
      const code = (): string => totpCode(secret, product.world.clock().getTime())
      const { recoveryCodes = [] } = (await send('/api/factors/totp/confirm', { code: code() }, { token })).json<{
        recoveryCodes?: string[]
      }>()
      product.pass(60_000)
      return { codes: recoveryCodes, code }
    },

    async addPasskey(token: string, authenticator: Authenticator, origin = ORIGIN): Promise<Told> {
      const { ticket, options } = (await send('/api/factors/passkeys/challenge', null, { token })).json<{
        ticket: string
        options: Parameters<Authenticator['create']>[0]
      }>()
      return send('/api/factors/passkeys', { ticket, name: 'Key', passkey: authenticator.create(options, { origin }) }, { token })
    },

    async passkeyChallenge(address: string, body: object | null, options: SendOptions = {}) {
      return (await send(address, body, options)).json<{ ticket: string; options: Parameters<Authenticator['get']>[0] }>()
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
