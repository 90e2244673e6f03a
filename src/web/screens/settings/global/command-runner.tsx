import { t } from '../../../i18n/i18n.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { Section } from '../section.tsx'
import { EVENTS, linesOf, type SettingsForm } from './form.ts'

export interface CommandRunnerProps {
  commands: SettingsForm['commands']
  onCommands: (commands: SettingsForm['commands']) => void
}

/** What the server runs when files change: one folded text for each event, one command a line. */
export function CommandRunner({ commands, onCommands }: CommandRunnerProps) {
  return (
    <Section title={t('global.runner')} text={t('global.runner.text')}>
      <div>
        {EVENTS.map((event) => {
          const count = linesOf(commands[event]).length
          return (
            <Disclosure key={event} label={t(`global.event.${event}`)} note={count === 0 ? undefined : t('global.runner.count', { count })}>
              <TextArea
                label={t('global.runner.commands', { event: t(`global.event.${event}`) })}
                labelHidden
                mono
                hint={t('global.runner.hint')}
                spellCheck={false}
                autoCapitalize="none"
                autoCorrect="off"
                value={commands[event]}
                onValue={(text) => onCommands({ ...commands, [event]: text })}
              />
            </Disclosure>
          )
        })}
      </div>
    </Section>
  )
}
