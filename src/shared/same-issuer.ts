/** Whether two addresses are the same OpenID Connect issuer: a slash at the end is no difference where it describes itself (Discovery 1.0 §4.1). */
export function isSameIssuer(one: string, other: string): boolean {
  return normal(one) === normal(other)
}

function normal(issuer: string): string {
  return (URL.parse(issuer.trim())?.href ?? issuer).replace(/\/$/, '')
}
