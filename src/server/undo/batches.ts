import { type FilePath, parentOf, ROOT } from '../../shared/file-path.ts'
import type { Step } from './step.ts'

/** Steps in their order, in groups of which none depends on another of the same group: other nodes, and no path at or below one of another. */
export function batchesOf(steps: readonly Step[]): Step[][] {
  const batches: Step[][] = []
  let batch = newBatch()
  for (const step of steps) {
    const paths = step.to === null ? [step.path] : [step.path, step.to]
    if (step.aside !== null || batch.nodes.has(step.node) || paths.some((path) => isTouched(batch, path))) batch = newBatch()
    if (batch.steps.length === 0) batches.push(batch.steps)
    batch.steps.push(step)
    batch.nodes.add(step.node)
    for (const path of paths) {
      batch.paths.add(path)
      for (let above = path; above !== ROOT;) batch.above.add((above = parentOf(above)))
    }
  }
  return batches
}

interface Batch {
  readonly steps: Step[]
  readonly nodes: Set<number>
  readonly paths: Set<FilePath>
  /** The folders of these paths. */
  readonly above: Set<FilePath>
}

function newBatch(): Batch {
  return { steps: [], nodes: new Set(), paths: new Set(), above: new Set() }
}

function isTouched({ paths, above }: Batch, path: FilePath): boolean {
  if (above.has(path)) return true
  for (let at = path; ; at = parentOf(at)) {
    if (paths.has(at)) return true
    if (at === ROOT) return false
  }
}
