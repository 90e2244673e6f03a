import * as z from 'zod/mini'
import { TryReport, type TryStep } from '../../shared/contract/providers.ts'
import { type Authorize, type Identity, reasonOf, Refused } from './authorize.ts'
import { shortened, shownClaims } from './claims.ts'
import type { Entry } from './entry.ts'
import type { Flow } from './flows.ts'
import { limitedFetch } from './limited-fetch.ts'
import type { StoredProvider } from './provider.ts'
import type { RelyingParty } from './relying-party.ts'

const Keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

export type Trial = ReturnType<typeof createTrial>

/** Signs in step by step for an administrator, who sees what each step found; opens no session and creates no account. */
export function createTrial({ relyingParty, authorize, entry }: { relyingParty: RelyingParty; authorize: Authorize; entry: Entry }) {
  async function firstSteps(provider: StoredProvider): Promise<TryStep[]> {
    const steps: TryStep[] = []
    try {
      const server = (await relyingParty.configurationOf(provider, { fresh: true })).serverMetadata()
      steps.push({ step: 'discovery', ok: true, detail: `issuer ${server.issuer}` })
      const address = server.jwks_uri ?? ''
      const response = await limitedFetch(address, { method: 'GET', headers: { accept: 'application/json' } })
      if (!response.ok) throw new Error(`${address}: status ${response.status}`)
      const { keys } = Keys.parse(await response.json())
      steps.push({ step: 'keys', ok: keys.length > 0, detail: `${keys.length} at ${address}` })
    } catch (error) {
      steps.push({ step: steps.length === 0 ? 'discovery' : 'keys', ok: false, detail: reasonOf(error) })
    }
    return steps
  }

  return {
    /** The steps before the provider's page, and the way there. */
    async begin(provider: StoredProvider, beginning: { redirectUri: string; userId: number }) {
      const steps = await firstSteps(provider)
      const report: TryReport = { provider: provider.id, steps, claims: [], problem: null }
      if (steps.some(({ ok }) => !ok)) return { report: { ...report, problem: 'provider' as const }, url: null, cookie: null }
      const { url, cookie } = await authorize.begin(provider, {
        ...beginning,
        purpose: 'try',
        target: '/settings/sign-in?tried',
        remember: false,
      })
      return { report: { ...report, steps: [...steps, redirectStep(beginning.redirectUri)] }, url, cookie }
    },

    /** All steps, after the provider has led back. */
    async finish(provider: StoredProvider, flow: Flow, answer: { search: string; state: string }): Promise<TryReport> {
      const steps = [...(await firstSteps(provider)), redirectStep(flow.redirect_uri)]
      const report: TryReport = { provider: provider.id, steps, claims: [], problem: null }
      let identity: Identity
      try {
        identity = await authorize.exchange(provider, flow, answer)
      } catch (error) {
        const isRefused = error instanceof Refused
        const failed: TryStep = { step: isRefused ? 'answer' : 'token', ok: false, detail: reasonOf(error) }
        return { ...report, steps: [...steps, failed], problem: isRefused ? 'refused' : 'provider' }
      }
      const claims = shownClaims(identity.claims)
      const { problem, detail } = await entry.preview(provider, identity)
      return {
        ...report,
        claims,
        problem,
        steps: [
          ...steps,
          { step: 'answer', ok: true, detail: 'code' },
          {
            step: 'token',
            ok: true,
            detail: `signature, issuer, audience, times and nonce are right; subject ${shortened(identity.subject)}`,
          },
          { step: 'claims', ok: claims.length > 0, detail: claims.map(({ name }) => name).join(', ') },
          { step: 'account', ok: problem === null, detail },
        ],
      }
    },

    read: (outcome: string): TryReport => TryReport.parse(JSON.parse(outcome)),
  }
}

function redirectStep(address: string): TryStep {
  return { step: 'redirect', ok: true, detail: address }
}
