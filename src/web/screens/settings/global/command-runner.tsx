import { t } from '../../../i18n/i18n.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldsOf } from '../../../widgets/form-fields.ts'
import { issueAt } from '../issues.ts'
import { Section } from '../section.tsx'
import { EVENTS, linesOf, type SettingsForm } from './form.ts'

export interface CommandRunnerProps {
  form: Pick<SettingsForm, 'commands' | 'shell'>
  issues: readonly string[]
  onChange: (part: Partial<SettingsForm>) => void
}

/** Hooks: one collapsible text per event, one command per line. */
export function CommandRunner({ form: { commands, shell }, issues, onChange }: CommandRunnerProps) {
  return (
    <Section title={t('global.runner')} text={t('global.runner.text')}>
      <TextField
        label={t('global.shell')}
        verbatim
        hint={t('global.shell.hint')}
        dir="ltr"
        placeholder="sh -c"
        {...fieldsOf({ shell }, onChange, () => issueAt(issues, 'shell')).value('shell')}
      />
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
                {...fieldsOf(commands, (next) => onChange({ commands: next })).value(event)}
              />
            </Disclosure>
          )
        })}
      </div>
    </Section>
  )
}
