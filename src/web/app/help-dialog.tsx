import { PALETTE_KEYS } from '../data/palette.ts'
import type { PromptProps } from '../data/prompts.ts'
import { type ShortcutGroup, useShortcutHelp } from '../data/shortcuts.ts'
import { keyNames } from '../i18n/keys.ts'
import { t } from '../i18n/i18n.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
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

/** Every shortcut of this page, as this machine's keyboard has them. */
export function HelpDialog({ onDismiss }: PromptProps<'help'>) {
  const groups = useShortcutHelp((state) => state.groups)
  return (
    <Dialog title={t('help.title')} size="huge" full closeLabel={t('action.close')} onDismiss={onDismiss}>
      {/* Nothing in it takes the focus, and it is longer than most windows: the keys scroll it. */}
      <div className={styles.groups} role="region" aria-label={t('help.title')} tabIndex={0}>
        {[...groups, EVERYWHERE].map((group) => (
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
