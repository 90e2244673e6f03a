import type { LucideIcon } from 'lucide-react'
import { isValidElement, type ReactElement } from 'react'

/** A Lucide icon, drawn as all buttons draw theirs, or an element. */
export type ButtonIcon = LucideIcon | ReactElement

export function DrawnIcon({ icon: Icon, size }: { icon: ButtonIcon; size: number }) {
  return isValidElement(Icon) ? Icon : <Icon size={size} strokeWidth={1.75} />
}
