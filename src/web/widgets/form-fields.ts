/**
 * Binds inputs to the fields of a form: `<TextField {...value('name')} />`, `<Switch {...checked('signup')} />`.
 * @param errorOf what is wrong with a field, localised; null if nothing is
 */
export function fieldsOf<Form extends object>(
  form: Form,
  onForm: (form: Form) => void,
  errorOf: (name: keyof Form & string) => string | null = () => null,
) {
  const set = <Name extends keyof Form>(name: Name, field: Form[Name]) => onForm({ ...form, [name]: field })
  return {
    value: <Name extends keyof Form & string>(name: Name) => ({
      value: form[name],
      onValue: (value: Form[Name]) => set(name, value),
      error: errorOf(name),
    }),
    checked: <Name extends keyof Form>(name: Name) => ({ checked: form[name], onChecked: (on: Form[Name]) => set(name, on) }),
  }
}
