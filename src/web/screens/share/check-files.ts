import type { SharedLink } from '../../../shared/contract/public.ts'

export type Rejection =
  | { readonly why: 'size'; readonly name: string; readonly most: number }
  | { readonly why: 'type'; readonly name: string; readonly types: readonly string[] }
  | { readonly why: 'count'; readonly most: number }

/** Splits files into those a file request accepts and the others with the reason, before uploading. The server checks again. */
export function checkFiles<F extends { name: string; size: number }>(
  files: readonly F[],
  drop: SharedLink['drop'],
): { fits: readonly F[]; problems: readonly Rejection[] } {
  if (drop === null) return { fits: files, problems: [] }
  const problems: Rejection[] = []
  const good = files.filter(({ name, size }) => {
    const isKind = drop.types.length === 0 || drop.types.some((type) => name.toLowerCase().endsWith(`.${type}`))
    if (!isKind) problems.push({ why: 'type', name, types: drop.types })
    else if (drop.maxFile !== 0 && size > drop.maxFile) problems.push({ why: 'size', name, most: drop.maxFile })
    else return true
    return false
  })
  const room = drop.maxFiles ?? Number.POSITIVE_INFINITY
  if (good.length > room) problems.push({ why: 'count', most: room })
  return { fits: good.slice(0, room), problems }
}
