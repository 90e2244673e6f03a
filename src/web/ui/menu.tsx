import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { MenuEntry } from './menu-entry.ts'

const loadPopup = () => import('./menu-popup.tsx')
const MenuPopup = lazy(async () => ({ default: (await loadPopup()).MenuPopup }))

export interface MenuTriggerProps {
  ref: (element: HTMLButtonElement | null) => void
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onClick: () => void
  onPointerEnter: () => void
  onFocus: () => void
  onKeyDown: (event: { key: string; preventDefault: () => void }) => void
}

export interface MenuProps {
  label: string
  /** A function is called on every opening. */
  entries: readonly MenuEntry[] | (() => readonly MenuEntry[])
  align?: 'start' | 'end'
  side?: 'bottom' | 'inline-end'
  /** Renders the trigger; spread the props onto a button. */
  trigger: (props: MenuTriggerProps) => ReactNode
}

/** A menu button. The menu's code is loaded on hover or focus. */
export function Menu({ label, entries, align, side, trigger }: MenuProps) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const button = useRef<HTMLButtonElement>(null)
  // Without a connection, opening the menu tries again.
  const near = () => void loadPopup().catch(() => undefined)
  const show = () => setState('open')
  return (
    <>
      {trigger({
        ref: (element) => {
          button.current = element
        },
        'aria-haspopup': 'menu',
        'aria-expanded': state === 'open',
        onClick: () => setState(state === 'open' ? 'closed' : 'open'),
        onPointerEnter: near,
        onFocus: near,
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          show()
        },
      })}
      {state !== 'never' && (
        <Suspense>
          <MenuPopup
            open={state === 'open'}
            anchor={button.current}
            label={label}
            entries={typeof entries === 'function' ? entries() : entries}
            align={align}
            side={side}
            // A press on the trigger is handled by the trigger.
            onClose={(event) => !(event.target instanceof Node && button.current?.contains(event.target)) && setState('closed')}
          />
        </Suspense>
      )}
    </>
  )
}
