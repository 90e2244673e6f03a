import { useEffect, useRef } from 'react'
import { languageOf } from '../../../widgets/viewers/code-colours.ts'
import { createCodeView, isColourable } from '../editor/code-view.ts'
import { findPhrases } from '../editor/phrases.ts'
import styles from './content-view.module.css'

/** A text as the editor shows it, to be read only. */
export function TextView({ text, name, label }: { text: string; name: string; label: string }) {
  const parent = useRef<HTMLDivElement>(null)
  // The editor lives outside React.
  useEffect(() => {
    if (parent.current === null) return
    const ignore = () => undefined
    const options = { text, label, readOnly: true, wrap: true, phrases: findPhrases(), onChange: ignore, onCursor: ignore }
    const view = createCodeView({ parent: parent.current, ...options })
    // If the language cannot be loaded, the text stays uncoloured.
    view.setLanguage(isColourable(text) ? languageOf(name) : null).catch(ignore)
    return () => view.destroy()
  }, [text, name, label])
  return <div ref={parent} className={styles.text} dir="ltr" />
}
