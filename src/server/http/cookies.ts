/** The values of every cookie of that name: a browser may have one for each of several paths. */
export function cookiesNamed(name: string, { headers }: Request): string[] {
  const header = headers.get('cookie')
  if (header === null || !header.includes(`${name}=`)) return []
  return header.split(';').flatMap((part) => {
    const pair = part.trim()
    return pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []
  })
}

/** The values of every cookie whose name begins so. */
export function cookiesByPrefix(prefix: string, { headers }: Request): string[] {
  const parts = (headers.get('cookie') ?? '').split(';').map((part) => part.trim())
  return parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(part.indexOf('=') + 1))
}
