import { type FilePath, joinPath, parseFilePath, pathFrom, segmentsOf } from '../../shared/file-path.ts'
import { fileType } from '../../shared/file-type.ts'
import { addEntry, readSubtree, type Totals } from './folder-totals.ts'
import type { UsageResult, FolderUsage, UsageItem } from './usage.ts'

const LARGEST = 100

/** Computes disk usage by reading the tree, when the index has no totals. Links count as their targets. */
export async function countUsage(
  path: FilePath,
  { signal, onSum }: { signal: AbortSignal; onSum: (sum: Totals) => void },
): Promise<{ level: FolderUsage; largest: UsageResult }> {
  let total: Totals = { folders: 0, files: 0, bytes: 0 }
  const children = new Map<FilePath, UsageItem>()
  let largest: UsageItem[] = []
  for await (const items of readSubtree(path, signal)) {
    for (const item of items) {
      total = addEntry(total, item)
      const at = parseFilePath(item.path)
      const [child = '', ...deeper] = segmentsOf(pathFrom(path, at) ?? at)
      const top = joinPath(path, child)
      const bytes = item.isDir ? 0 : item.size
      const before = children.get(top)
      children.set(top, partOf(top, child, { isDir: item.isDir || deeper.length > 0, bytes: (before?.bytes ?? 0) + bytes }))
      if (bytes > 0) largest.push(partOf(at, item.name, { isDir: false, bytes }))
    }
    if (largest.length > 2 * LARGEST) largest = largest.sort(bySize).slice(0, LARGEST)
    onSum(total)
  }
  const parts = [...children.values()].filter(({ bytes }) => bytes > 0).sort(bySize)
  return {
    level: { total, parts, isComplete: true },
    largest: { parts: largest.sort(bySize).slice(0, LARGEST), isComplete: true },
  }
}

function partOf(path: FilePath, name: string, { isDir, bytes }: { isDir: boolean; bytes: number }): UsageItem {
  return { path, name, isDir, type: isDir ? '' : (fileType(name) ?? 'blob'), bytes }
}

function bySize(a: UsageItem, b: UsageItem): number {
  return b.bytes - a.bytes
}
