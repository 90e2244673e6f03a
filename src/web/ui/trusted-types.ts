/** What a rule gives back is an object that its sink takes like the text. */
interface Rules {
  createHTML?(text: string): string
  createScriptURL?(address: string): string
}

/**
 * A named rule by which text may become a document, or an address a script: where the page's policy demands one (W3C Trusted Types), nothing else
 * does. Null in browsers that know of none. The name has to stand in the policy (server/http/headers.ts).
 */
export function trustedTypesPolicy(name: string, rules: Rules): Required<Rules> | null {
  // Not in TypeScript's library, and in DOMPurify's with types of its own.
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Rules): Required<Rules> } }
  return trustedTypes?.createPolicy(name, rules) ?? null
}
