/** The values of every cookie of that name: a browser may have one for each of several paths. */
export function cookiesNamed(name: string, { headers }: Request): string[] {
  const header = headers.get('cookie')
  if (header === null || !header.includes(`${name}=`)) return []
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}
