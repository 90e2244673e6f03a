import { type FilePath, joinPath, parseFilePath, pathFrom, segmentsOf } from '../../shared/file-path.ts'
import { fileType } from '../../shared/file-type.ts'
import { added, readTree, type Sum } from './folder-sum.ts'
import type { Found, Level, Part } from './usage.ts'

const LARGEST = 100

/** Finds out what takes room by reading everything below a folder, where the server does not know it by heart. Links count as what they lead to. */
export async function countUsage(
  path: FilePath,
  { signal, onSum }: { signal: AbortSignal; onSum: (sum: Sum) => void },
): Promise<{ level: Level; largest: Found }> {
  let total: Sum = { folders: 0, files: 0, bytes: 0 }
  const children = new Map<FilePath, Part>()
  let largest: Part[] = []
  for await (const items of readTree(path, signal)) {
    for (const item of items) {
      total = added(total, item)
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
    level: { total, parts, settled: true },
    largest: { parts: largest.sort(bySize).slice(0, LARGEST), settled: true },
  }
}

function partOf(path: FilePath, name: string, { isDir, bytes }: { isDir: boolean; bytes: number }): Part {
  return { path, name, isDir, type: isDir ? '' : (fileType(name) ?? 'blob'), bytes }
}

function bySize(a: Part, b: Part): number {
  return b.bytes - a.bytes
}
