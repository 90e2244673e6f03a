import { CSPProvider } from '@base-ui/react/csp-provider'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { classes } from './classes.ts'
import { DrawnIcon } from './drawn-icon.tsx'
import type { MenuAction, MenuAnchor, MenuEntry } from './menu-entry.ts'
import styles from './menu.module.css'
import { useBackToClose } from './use-back-to-close.ts'

export interface MenuPopupProps {
  open: boolean
  anchor: MenuAnchor | null
  label: string
  entries: readonly MenuEntry[]
  align?: 'start' | 'end'
  side?: 'bottom' | 'inline-end'
  /** A press outside, Escape or Back; `event` is that event. */
  onClose: (event: Event) => void
}

/** The open menu: a popup, or a bottom sheet on phones. Lazily loaded. */
export function MenuPopup({ open, anchor, label, entries, align = 'start', side = 'bottom', onClose }: MenuPopupProps) {
  useBackToClose({ open, onBack: () => onClose(new Event('back')) })
  const isPoint = anchor !== null && !(anchor instanceof Element)
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}>
        <Base.Root open={open} onOpenChange={(next, details) => !next && onClose(details.event)}>
          <Base.Portal>
            <Base.Backdrop className={styles.backdrop} />
            <Base.Positioner
              className={styles.positioner}
              anchor={anchorFor(anchor)}
              // At a point, the menu shifts up as needed, so that its end stays visible.
              side={isPoint ? 'inline-end' : side}
              align={align}
              sideOffset={isPoint ? 2 : 6}
              collisionPadding={8}
              collisionAvoidance={isPoint ? SLIDES : undefined}
            >
              <Base.Popup className={styles.popup} data-part="menu" aria-label={label}>
                {entries.map((entry) => (
                  <Row key={entry.id} entry={entry} />
                ))}
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
      </DirectionProvider>
    </CSPProvider>
  )
}

const SLIDES = { side: 'flip', align: 'shift', fallbackAxisSide: 'none' } as const

function Row({ entry }: { entry: MenuEntry }) {
  if (entry.kind === 'separator') return <Base.Separator className={styles.separator} />
  if (entry.kind === 'heading') {
    return (
      <div className={styles.heading}>
        <bdi>{entry.label}</bdi>
        {entry.detail && <span className="faint text-caption block">{entry.detail}</span>}
      </div>
    )
  }
  if (entry.kind === 'link') {
    return (
      <Base.LinkItem className={styles.item} href={entry.href} target="_blank" rel="noreferrer" closeOnClick>
        {entry.icon && <DrawnIcon icon={entry.icon} size={17} />}
        <span className="ellipsis grow shrinkable">{entry.label}</span>
      </Base.LinkItem>
    )
  }
  const content = (
    <>
      {entry.icon ? <DrawnIcon icon={entry.icon} size={17} /> : <span className={styles.noIcon} />}
      <span className="ellipsis grow shrinkable">{entry.label}</span>
      {entry.checked === true && <Check className={styles.check} size={16} aria-hidden />}
      {entry.shortcut && <kbd className={styles.shortcut}>{entry.shortcut}</kbd>}
    </>
  )
  const look = classes(styles.item, entry.danger && styles.danger)
  return entry.checked === undefined ? (
    <Base.Item className={look} data-part="menu-item" data-id={entry.id} disabled={entry.disabled} onClick={() => run(entry)}>
      {content}
    </Base.Item>
  ) : (
    <Base.CheckboxItem
      className={look}
      data-part="menu-item"
      data-id={entry.id}
      disabled={entry.disabled}
      checked={entry.checked}
      closeOnClick
      onCheckedChange={() => run(entry)}
    >
      {content}
    </Base.CheckboxItem>
  )
}

/** Runs after the menu has restored focus, so that a dialog it opens restores focus to the trigger. */
function run(entry: MenuAction): void {
  setTimeout(entry.onSelect)
}

function anchorFor(anchor: MenuAnchor | null) {
  if (anchor === null || anchor instanceof Element) return anchor
  return { getBoundingClientRect: () => new DOMRect(anchor.x, anchor.y, 0, 0) }
}
