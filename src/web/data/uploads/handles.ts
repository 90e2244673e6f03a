/** A file system handle that can be stored in IndexedDB (File System Access API). */
export interface DroppedHandle extends FileSystemHandle {
  queryPermission?(options: { mode: 'read' }): Promise<PermissionState>
  requestPermission?(options: { mode: 'read' }): Promise<PermissionState>
}

interface StoredHandle {
  readonly handle: DroppedHandle
  /** Path from a dropped folder to the file; empty for a dropped file. */
  readonly below: readonly string[]
  /** Milliseconds since 1970. */
  readonly at: number
}

const KEEP_MS = 24 * 60 * 60 * 1000
const STORE = 'handles'

/** Stores the handle of a file while its upload can be resumed. Does nothing where unsupported. */
export async function storeHandle(owner: number, path: string, file: Omit<StoredHandle, 'at'>): Promise<void> {
  await withStore('readwrite', (store) => store.put({ ...file, at: Date.now() } satisfies StoredHandle, keyOf(owner, path))).catch(
    () => undefined,
  )
}

/** The stored file; null if there is none or it may not be read. */
export async function restoreFile(owner: number, path: string): Promise<File | null> {
  try {
    const kept = await withStore<StoredHandle | undefined>('readonly', (store) => store.get(keyOf(owner, path)))
    if (kept === undefined || Date.now() - kept.at > KEEP_MS) return null
    if ((await kept.handle.requestPermission?.({ mode: 'read' })) === 'denied') return null
    let handle: FileSystemHandle = kept.handle
    for (const [depth, name] of kept.below.entries()) {
      if (!isFolder(handle)) return null
      const isLast = depth === kept.below.length - 1
      handle = isLast ? await handle.getFileHandle(name) : await handle.getDirectoryHandle(name)
    }
    return isFile(handle) ? await handle.getFile() : null
  } catch {
    return null
  }
}

/** Deletes all stored handles, on sign-out. */
export async function clearHandles(): Promise<void> {
  await withStore('readwrite', (store) => store.clear()).catch(() => undefined)
}

function keyOf(owner: number, path: string): string {
  return `${owner} ${path}`
}

function isFolder(handle: FileSystemHandle): handle is FileSystemDirectoryHandle {
  return handle.kind === 'directory'
}

function isFile(handle: FileSystemHandle): handle is FileSystemFileHandle {
  return handle.kind === 'file'
}

async function withStore<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const db = await settled<IDBDatabase>(opened())
  try {
    return await settled<T>(work(db.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    db.close()
  }
}

function opened(): IDBOpenDBRequest {
  const request = indexedDB.open('satchel-uploads', 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE))
  return request
}

function settled<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    // Only this module writes to the store.
    request.addEventListener('success', () => resolve(request.result as T))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')))
  })
}
