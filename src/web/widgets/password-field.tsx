import { ArrowBigUpDash, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { t } from '../i18n/i18n.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { TextField, type TextFieldProps } from '../ui/text-field.tsx'

/** A password with a reveal button and a word about Caps Lock. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'end'>) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  return (
    <TextField
      verbatim
      {...props}
      note={
        capsLock ? (
          <>
            <ArrowBigUpDash size={16} strokeWidth={1.75} aria-hidden />
            {t('login.caps-lock')}
          </>
        ) : null
      }
      type={shown ? 'text' : 'password'}
      onKeyDown={(event) => setCapsLock(event.getModifierState('CapsLock'))}
      onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
      onBlur={() => setCapsLock(false)}
      end={
        <IconButton
          label={t(shown ? 'login.conceal' : 'login.reveal')}
          icon={shown ? <EyeOff size={18} strokeWidth={1.75} /> : <Eye size={18} strokeWidth={1.75} />}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
