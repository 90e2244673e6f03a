import { parseFilePath as at } from '../../src/shared/file-path.ts'
import type { TrashEntry } from '../../src/shared/contract/trash.ts'
import type { Product } from './world.ts'

type Query = Partial<Record<'path' | 'text' | 'all' | 'limit', string>>

/** All pages. */
export async function listed(product: Product, who: string, query: Query = {}): Promise<TrashEntry[]> {
  const entries: TrashEntry[] = []
  for (let after: string | undefined; ;) {
    const page = await product.as(who).trash.list({ query: { ...query, ...(after !== undefined && { after }) } })
    entries.push(...page.entries)
    if (page.next === null) return entries
    after = page.next
  }
}

/** @returns the gesture; empty if it cannot be undone */
export async function remove(product: Product, who: string, path: string, group?: string): Promise<string> {
  const headers: Record<string, string> = group === undefined ? {} : { 'x-satchel-operation': group }
  const response = await product.as(who).resources.remove({ params: { path: at(path) }, query: {}, headers })
  return response.headers.get('x-satchel-operation') ?? ''
}

export function restore(
  product: Product,
  who: string,
  entry: TrashEntry | undefined,
  body: { replace?: boolean; rename?: boolean; to?: string } = {},
): Promise<{ path: string }> {
  return product.as(who).trash.restore({ params: { id: entry?.id ?? 'none' }, body })
}

/** The code of its error; `none` if it succeeds. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'none',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  )
}

export async function set(product: Product, values: { trashDays?: number; trashShare?: number }): Promise<void> {
  await product.world.settings.change((before) => ({ ...before, ...values }))
}

/** Deletions become older; sessions do not. */
export async function age(product: Product, ms: number): Promise<void> {
  await product.db
    .updateTable('operations')
    .set((eb) => ({ at: eb('at', '-', ms) }))
    .execute()
}
