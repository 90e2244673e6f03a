import { parseFilePath as at } from '../../src/shared/file-path.ts'
import type { FileVersion } from '../../src/shared/contract/versions.ts'
import type { Product } from './world.ts'

/** The newest first. */
export async function versionsOf(product: Product, who: string, path: string): Promise<FileVersion[]> {
  return (await product.as(who).versions.list({ params: { path: at(path) } })).versions
}

/** What the versions of a file contain, the newest first. */
export async function contentsOf(product: Product, who: string, path: string): Promise<string[]> {
  return Promise.all((await versionsOf(product, who, path)).map(({ id }) => contentOf(product, who, path, id)))
}

export async function contentOf(product: Product, who: string, path: string, id: string): Promise<string> {
  return (await product.as(who).versions.content({ params: { path: at(path) }, query: { id } })).text()
}

export async function save(product: Product, who: string, path: string, body: string): Promise<void> {
  await product.as(who).resources.save({ params: { path: at(path) }, body })
}

/** Over what is there: each time a version is kept. */
export async function replace(product: Product, who: string, path: string, body: string): Promise<void> {
  await product.as(who).resources.upload({ params: { path: at(path) }, query: { override: 'true' }, body })
}

export async function restoreVersion(product: Product, who: string, path: string, id = 'none'): Promise<Response> {
  return product.as(who).versions.restore({ params: { path: at(path) }, query: { id } })
}

export async function removeVersion(product: Product, who: string, path: string, id = 'none'): Promise<void> {
  await product.as(who).versions.remove({ params: { path: at(path) }, query: { id } })
}

export async function setVersions(
  product: Product,
  values: { versionDays?: number; versionShare?: number; trashDays?: number },
): Promise<void> {
  await product.world.settings.change((before) => ({ ...before, ...values }))
}

/** Ids of what is kept on the disk. */
export async function keptIds({ storage }: Product): Promise<string[]> {
  return (await storage.keptNodes('versions')).map(({ id }) => id)
}
