import type { ComponentType, ReactNode } from 'react'
import type { ByteSource } from './byte-source.ts'

/** What a viewer of our own needs to show a file. */
export interface ViewerProps {
  name: string
  source: ByteSource
  /** Stands in where the file is not what its name says, or cannot be had. */
  otherwise: ReactNode
}

/** Kinds of files that we show ourselves, from their bytes. */
export type ViewedKind = 'font' | 'book'

/** Each fetched when it is first needed. */
export type Viewers = Readonly<Record<ViewedKind, ComponentType<ViewerProps>>>

const KINDS: readonly (readonly [RegExp, ViewedKind])[] = [
  [/\.(ttf|otf|woff2?)$/i, 'font'],
  [/\.epub$/i, 'book'],
]

/** By name; null for what the browser shows, or nobody. */
export function viewedKind(name: string): ViewedKind | null {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? null
}
