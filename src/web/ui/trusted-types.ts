/** Sinks accept the returned trusted objects like strings. */
interface Rules {
  createHTML?(text: string): string
  createScriptURL?(address: string): string
}

/**
 * Creates a Trusted Types policy (W3C), which the CSP requires for HTML and script URLs; null in browsers without Trusted Types. The CSP must list
 * the name (server/http/headers.ts).
 */
export function trustedTypesPolicy(name: string, rules: Rules): Required<Rules> | null {
  // Missing from TypeScript's library; DOMPurify has types of its own.
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): Required<Rules> } }
  return trustedTypes?.createPolicy(name, rules) ?? null
}
