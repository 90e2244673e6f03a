import type { Provider, ProviderInput } from '../../../../shared/contract/providers.ts'
import { isSameIssuer } from '../../../../shared/same-issuer.ts'

/** A provider as its form holds it: lists are texts. */
export interface ProviderForm {
  readonly name: string
  readonly enabled: boolean
  readonly issuer: string
  readonly clientId: string
  /** Empty keeps a stored one. */
  readonly clientSecret: string
  readonly scopes: string
  readonly usernameClaim: string
  readonly allowClaim: string
  readonly allowValues: string
  readonly adminClaim: string
  readonly adminValues: string
  readonly groupsClaim: string
  /** The values that make members, by the id of the group. */
  readonly groupValues: Readonly<Record<string, string>>
  readonly secondFactor: boolean
  readonly create: boolean
  readonly endSession: boolean
}

export function formFrom(provider: Provider | null): ProviderForm {
  return {
    name: provider?.name ?? '',
    enabled: provider?.enabled ?? true,
    issuer: provider?.issuer ?? '',
    clientId: provider?.clientId ?? '',
    clientSecret: '',
    scopes: (provider?.scopes ?? ['profile', 'email']).join(' '),
    usernameClaim: provider?.usernameClaim ?? 'preferred_username',
    allowClaim: provider?.allow.claim || 'groups',
    allowValues: (provider?.allow.values ?? []).join(', '),
    adminClaim: provider?.admin.claim || 'groups',
    adminValues: (provider?.admin.values ?? []).join(', '),
    groupsClaim: provider?.groups.claim || 'groups',
    groupValues: Object.fromEntries((provider?.groups.map ?? []).map(({ group, values }) => [group, values.join(', ')])),
    secondFactor: provider?.secondFactor ?? false,
    create: provider?.create ?? false,
    endSession: provider?.endSession ?? true,
  }
}

/** What the server gets. An empty secret is left out, so that the stored one stays. */
export function inputFrom(form: ProviderForm): ProviderInput {
  const { clientSecret } = form
  return {
    name: form.name.trim(),
    enabled: form.enabled,
    issuer: form.issuer.trim(),
    clientId: form.clientId.trim(),
    scopes: words(form.scopes, /[\s,]+/),
    usernameClaim: form.usernameClaim.trim(),
    allow: { claim: form.allowClaim.trim(), values: words(form.allowValues, /,/) },
    admin: { claim: form.adminClaim.trim(), values: words(form.adminValues, /,/) },
    groups: {
      claim: form.groupsClaim.trim(),
      map: Object.entries(form.groupValues).flatMap(([group, text]) => {
        const values = words(text, /,/)
        return values.length === 0 ? [] : [{ group: Number(group), values }]
      }),
    },
    secondFactor: form.secondFactor,
    create: form.create,
    endSession: form.endSession,
    ...(clientSecret !== '' && { clientSecret }),
  }
}

/** Whether an issuer can be one; the server decides. */
export function isAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text.trim())?.protocol ?? '')
}

/** Whether the stored secret would be sent elsewhere, and so must be typed anew. */
export function needsSecret(provider: Provider | null, { issuer, clientSecret }: ProviderForm): boolean {
  return provider?.hasSecret === true && clientSecret === '' && !isSameIssuer(provider.issuer, issuer)
}

function words(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
