import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { classes } from './classes.ts'
import styles from './tabs.module.css'

export interface TabsProps<Id extends string> {
  label: string
  tabs: readonly { id: Id; label: string }[]
  selected: Id
  onSelect: (id: Id) => void
  /** Content of the selected tab. */
  children: ReactNode
}

/** WAI-ARIA tabs with automatic activation. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Id>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextTab(event, { at: tabs.findIndex((tab) => tab.id === selected), count: tabs.length })
    const tab = next === null ? undefined : tabs[next]
    if (tab === undefined || next === null) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }

  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className={styles.bar} onKeyDown={onKeyDown} data-part="tabs">
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            className={styles.tab}
            onClick={() => onSelect(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`} className="shrinkable-block">
        {children}
      </div>
    </>
  )
}

/**
 * Links styled as tabs, for pages with their own address; the current one needs `aria-current`. Each link is a Tab stop; arrow keys, Home and End
 * move between them too.
 */
export function TabLinks({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null)
  // Scrolls the current tab and its neighbours into view.
  useEffect(() => {
    bar.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(bar.current?.querySelectorAll('a') ?? [])]
    const next = nextTab(event, { at: links.findIndex((link) => link === document.activeElement), count: links.length })
    if (next === null) return
    event.preventDefault()
    links[next]?.focus()
  }
  return (
    <nav ref={bar} aria-label={label} className={classes(styles.bar, styles.links, className)} onKeyDown={onKeyDown} data-part="tabs">
      {children}
    </nav>
  )
}

/** The tab that a key moves to; null for other keys and browser shortcuts (Alt+Left). */
function nextTab(event: KeyboardEvent, { at, count }: { at: number; count: number }): number | null {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return null
  if (event.key === 'Home') return 0
  if (event.key === 'End') return count - 1
  if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return null
  const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  return (at + (event.key === forward ? 1 : -1) + count) % count
}
