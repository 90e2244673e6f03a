import { PALETTE_KEYS } from '../data/palette.ts'
import type { PromptProps } from '../data/prompts.ts'
import { type ShortcutGroup, useShortcutHelp } from '../data/shortcuts.ts'
import { keyNames } from '../i18n/keys.ts'
import { t } from '../i18n/i18n.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { usePhone } from '../ui/use-media.ts'
import styles from './help-dialog.module.css'

const EVERYWHERE: ShortcutGroup = {
  id: 'everywhere',
  title: () => t('help.anywhere'),
  shortcuts: [
    { keys: ['F1'], label: () => t('help.show') },
    { keys: PALETTE_KEYS, label: () => t('palette.title') },
    { keys: ['Enter'], label: () => t('help.confirm-dialog') },
    { keys: ['Esc'], label: () => t('help.close-dialog') },
  ],
}

const TOUCH: ShortcutGroup = {
  id: 'touch',
  title: () => t('help.touch'),
  shortcuts: [
    { keys: ['Tap'], label: () => t('files.action.open') },
    { keys: ['Touch and hold'], label: () => t('help.touch.select') },
    { keys: ['Swipe'], label: () => t('help.touch.swipe') },
    { keys: ['Pinch'], label: () => t('help.touch.pinch') },
    { keys: ['Double tap'], label: () => t('help.touch.double-tap') },
  ],
}

/** Touch gestures come first on touch screens; phones show no keyboard shortcuts. */
function groupsFor(known: readonly ShortcutGroup[], { touch, phone }: { touch: boolean; phone: boolean }): readonly ShortcutGroup[] {
  const keyboard = [...known, EVERYWHERE]
  if (!touch) return keyboard
  return phone ? [TOUCH] : [TOUCH, ...keyboard]
}

/** Lists every shortcut of the current page with the key names of this platform, and touch gestures on touch screens. */
export function HelpDialog({ onDismiss }: PromptProps<'help'>) {
  const known = useShortcutHelp((state) => state.groups)
  const phone = usePhone()
  const groups = groupsFor(known, { touch: matchMedia('(pointer: coarse)').matches, phone })
  return (
    <Dialog title={t('help.title')} size="huge" full closeLabel={t('action.close')} onDismiss={onDismiss}>
      {/* The region is focusable so that the keyboard can scroll it. */}
      <div className={styles.groups} role="region" aria-label={t('help.title')} tabIndex={0}>
        {groups.map((group) => (
          <section key={group.id} className={styles.group}>
            <h3 className={styles.title}>{group.title()}</h3>
            <dl>
              {group.shortcuts.map((shortcut) => (
                <div key={shortcut.keys.join(' ') + shortcut.label()} className={styles.row}>
                  <dt>{shortcut.label()}</dt>
                  <dd>
                    <Kbd keys={keyNames(shortcut.keys)} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
