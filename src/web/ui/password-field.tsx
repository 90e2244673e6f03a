import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'end'> {
  revealLabel: string
  concealLabel: string
  /** Hint while Caps Lock is on. */
  capsLockHint?: string
}

/** A password field with a reveal button and a Caps Lock hint. */
export function PasswordField({ revealLabel, concealLabel, capsLockHint, hint, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      hint={capsLock && capsLockHint ? capsLockHint : hint}
      type={shown ? 'text' : 'password'}
      onKeyDown={(event) => setCapsLock(event.getModifierState('CapsLock'))}
      onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
      onBlur={() => setCapsLock(false)}
      end={
        <IconButton
          label={shown ? concealLabel : revealLabel}
          icon={shown ? <EyeOff size={18} strokeWidth={1.75} /> : <Eye size={18} strokeWidth={1.75} />}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
