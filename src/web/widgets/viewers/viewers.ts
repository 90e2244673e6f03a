import type { ComponentType, ReactNode } from 'react'
import type { ByteSource } from './byte-source.ts'

/** Props of our own viewers. */
export interface ViewerProps {
  name: string
  source: ByteSource
  /** Fallback if the file is unreadable or not what its name says. */
  otherwise: ReactNode
}

/** Kinds with a viewer of our own. */
export type ViewedKind = 'font' | 'book'

/** Lazily loaded. */
export type Viewers = Readonly<Record<ViewedKind, ComponentType<ViewerProps>>>

const KINDS: readonly (readonly [RegExp, ViewedKind])[] = [
  [/\.(ttf|otf|woff2?)$/i, 'font'],
  [/\.epub$/i, 'book'],
]

/** By name; null if there is none. */
export function viewedKind(name: string): ViewedKind | null {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? null
}
