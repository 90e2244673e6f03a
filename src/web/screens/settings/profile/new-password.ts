/** The two fields of a new password as they are typed. */
export interface NewPassword {
  readonly password: string
  readonly confirmation: string
}

/** Equal and different are shown by colour and in words; only what is equal and not empty may be sent. */
export function stateOf({ password, confirmation }: NewPassword): 'empty' | 'equal' | 'different' {
  if (password !== confirmation) return 'different'
  return password === '' ? 'empty' : 'equal'
}
