import { create } from 'zustand'

/** What the details show. */
export type DetailsTab = 'general' | 'activity'

/** The chosen tab of the details, which stays while another entry is selected. */
export const useDetailsTab = create<{ tab: DetailsTab }>(() => ({ tab: 'general' }))

export function chooseDetailsTab(tab: DetailsTab): void {
  useDetailsTab.setState({ tab })
}
