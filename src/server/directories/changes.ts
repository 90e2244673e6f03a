import type { AuditDetail } from '../../shared/contract/audit.ts'
import type { AccountLinks } from '../providers/account-links.ts'
import type { Disconnect } from '../providers/disconnect.ts'
import { issuerOf, type StoredDirectory } from './directory.ts'
import type { DirectoryStore } from './directory-store.ts'

/** For the audit trail: what was changed, without the password. */
export function changesOf(before: StoredDirectory | null, after: StoredDirectory): AuditDetail[] {
  const was = before === null ? {} : textsOf(before)
  const changed = Object.entries(textsOf(after)).filter(([name, text]) => was[name] !== text)
  const secret = (before?.bindPassword ?? '') === after.bindPassword ? [] : [{ place: 'bindPassword', before: null, after: null }]
  return [...changed.map(([name, text]) => ({ place: name, before: was[name] ?? null, after: text })), ...secret]
}

function textsOf(directory: StoredDirectory): Record<string, string> {
  const names = Object.keys(directory).filter((name) => !['bindPassword', 'id', 'lastCheck'].includes(name))
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
  return Object.fromEntries(names.map((name) => [name, text(directory[name as keyof StoredDirectory])]))
}

export interface RemoveOptions {
  readonly store: DirectoryStore
  readonly links: AccountLinks
  readonly disconnect: Disconnect
}

/** With its connections: another directory may get the same id, with other people. Accounts stay. */
export async function removeDirectory({ store, links, disconnect }: RemoveOptions, id: string): Promise<void> {
  await disconnect.everybody(id, { issuer: issuerOf(id) })
  await store.remove(id)
  await disconnect.everybody(id, { issuer: issuerOf(id) })
  await links.removeAllOf(issuerOf(id))
}
