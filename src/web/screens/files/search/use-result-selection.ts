import { useRef, useState } from 'react'
import type { FilePath } from '../../../../shared/file-path.ts'
import type { Hit } from '../../../data/search.ts'

/** Selection of search results. */
export type ResultSelection = ReturnType<typeof useResultSelection>

/** Selection of search results; results that disappear are deselected. */
export function useResultSelection(found: readonly Hit[]) {
  const [paths, setPaths] = useState<ReadonlySet<FilePath>>(new Set())
  const last = useRef<FilePath | null>(null)
  return {
    hits: found.filter(({ path }) => paths.has(path)),
    has: (path: FilePath) => paths.has(path),
    /** @param range from the last toggled result to this one (Shift) */
    toggle(path: FilePath, { range }: { range: boolean }) {
      const isOn = !paths.has(path)
      const next = new Set(paths)
      for (const one of range ? between(found, last.current, path) : [path]) {
        if (isOn) next.add(one)
        else next.delete(one)
      }
      last.current = path
      setPaths(next)
    },
    all: () => setPaths(new Set(found.map(({ path }) => path))),
    clear: () => setPaths(new Set()),
  }
}

export function between(found: readonly Hit[], from: FilePath | null, to: FilePath): readonly FilePath[] {
  const [a, b] = [from, to].map((path) => found.findIndex((hit) => hit.path === path))
  if (a === undefined || b === undefined || a < 0 || b < 0) return [to]
  return found.slice(Math.min(a, b), Math.max(a, b) + 1).map(({ path }) => path)
}
