/** The parts of oidc-provider that the tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }
  interface GrantContext {
    oidc: {
      client: { clientId: string }
      session: { accountId: string }
      params: { scope: string }
      provider: { Grant: new (of: { clientId: string; accountId: string }) => Grant }
    }
  }
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown> & { loadExistingGrant?: (ctx: GrantContext) => Promise<Grant> })
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
