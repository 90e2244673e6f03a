/** The two fields of a new password. */
export interface NewPassword {
  readonly password: string
  readonly confirmation: string
}

/** Only `equal` may be submitted. */
export function stateOf({ password, confirmation }: NewPassword): 'empty' | 'equal' | 'different' {
  if (password !== confirmation) return 'different'
  return password === '' ? 'empty' : 'equal'
}
