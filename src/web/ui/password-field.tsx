import { ArrowBigUpDash, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'end'> {
  revealLabel: string
  concealLabel: string
  /** Shown beside the label while Caps Lock is on. */
  capsLockHint?: string
}

/** A password with a reveal button and a word about Caps Lock. */
export function PasswordField({ revealLabel, concealLabel, capsLockHint, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      note={
        capsLock && capsLockHint ? (
          <>
            <ArrowBigUpDash size={16} strokeWidth={1.75} aria-hidden />
            {capsLockHint}
          </>
        ) : null
      }
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
