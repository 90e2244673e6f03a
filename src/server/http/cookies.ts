/** The values of every cookie of that name: a browser may have one for each of several paths. */
export function cookiesNamed(name: string, { headers }: Request): string[] {
  const header = headers.get('cookie')
  if (header === null || !header.includes(`${name}=`)) return []
  return header.split(';').flatMap((part) => {
    const pair = part.trim()
    return pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []
  })
}
