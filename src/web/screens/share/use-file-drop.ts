import { useEffect, useState, useEffectEvent } from 'react'
import { readDrop } from '../../data/uploads/dropped.ts'
import { takeDrop } from '../../data/uploads/start.ts'

/** Accepts files dropped anywhere on the page, including those in folders, without the folders. @returns whether files hover over the page */
export function useFileDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false)
  const give = useEffectEvent(onFiles)
  // On the whole window: otherwise the browser would open the file instead of the page.
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    const take = async (transfer: DataTransfer): Promise<void> => {
      // If a drop cannot be read, use its file list.
      const found = await readDrop(takeDrop(transfer)).catch(() => [...transfer.files].map((file) => ({ file })))
      give(found.flatMap(({ file }) => file ?? []))
    }
    // Leave dragged text to text fields.
    const isFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const onOver = (event: DragEvent) => {
      if (!isFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const onLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false)
    const onDrop = (event: DragEvent) => {
      if (!isFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      setOver(false)
      void take(event.dataTransfer)
    }
    addEventListener('dragover', onOver, { signal })
    addEventListener('dragleave', onLeave, { signal })
    addEventListener('drop', onDrop, { signal })
    return () => left.abort()
  }, [])
  return over
}
